import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../spec/package-root.ts';

/** Files with attacks. */
const files = [
  'e2e/certificate-attacks.slow.test.ts',
  'e2e/further-attacks.slow.test.ts',
  'e2e/programme-commands.slow.test.ts',
  'e2e/tampering.spawned.test.ts',
  'harness/engine/verify/spot-check.slow.test.ts',
];

/** Each attack of the threat model in docs/certifying.md by its beginning, with the names of tests that show it. */
const shown: Readonly<Record<string, readonly string[]>> = {
  'edit the report, the evidence or the statement': [
    'tampering with the report',
    'tampering with the evidence',
    'tampering with the certificate',
    'a single byte',
  ],
  'replace the responses of a failing run': [
    'by signing all of it with another key',
    "a stranger's signature",
  ],
  'present the responses of another run': [
    'answers of another run',
    'a fresh challenge for recorded evidence',
    'another run id',
    'the responses of two runs mixed',
  ],
  'claim another base URL, vendor or product': [
    'another base URL',
    'another product',
    'the challenge of another vendor',
    'believes the name of a vendor only from the owner',
  ],
  "take another run's evidence": [
    'answers of another run whose request ids, seed and run id are rewritten',
    'a request that was replaced by a harmless one',
    'cases that sent less than planned',
    'a request that no plan requires',
    'an additional header that switches the service to a test mode',
    'an additional query parameter in every request',
  ],
  'leave out a case': ['a case that was left out', 'a case that was given up without a reason'],
  'certify a service on another machine': [
    'a public name for a service on this machine',
    'no server certificate for an https: base URL',
    'the server certificate of another host',
    'no addresses',
  ],
  'supply a lenient OpenAPI document': ['a lenient document under the digest of a strict one'],
  'move the dates': [
    'dates before the challenge',
    'dates within the window that the responses contradict',
    'a certificate of the same run that is issued anew much later',
    'exchanges in the opposite order',
    'responses of a cache that are older than the run',
    'an old run that is said to have gone on until today',
  ],
  'call responses cut': ['responses that are said to be cut, and requests that were replaced'],
  'use the challenge of another vendor': [
    'a challenge for another vendor key',
    'a challenge with longer dates under the old signature',
    'a challenge of an owner that the verifier does not know',
    'a challenge whose vendor key is the key of its owner',
  ],
  'use one challenge for two entries': ['refuses replayed, uncountersigned and edited certificates'],
  'use an older version': ['an older version', 'a challenge for another version'],
  'narrow the checks': [
    'narrowed checks',
    'narrowed operations',
    'fewer random values',
    'custom checks',
    'hidden exclusions',
    'exclusions that the evidence hides',
    'a quick run that claims to be a standard one',
    'edited warnings',
  ],
  'certify a local service': [
    'a Unix socket with a foreign host',
    'with the embedded service',
    'an accepted server certificate',
    'a loopback address in another notation',
    'a hidden development flag',
    'through a proxy that nobody named',
  ],
  'recognise the harness': [
    'calls with another user agent',
    'calls without a request id',
    'every tenth call in another order than that of a run',
    'calls at another time of day',
  ],
  'make up a whole run': ['a forgery that is consistent throughout', 'answers that were made up throughout'],
  'a spot check from before the run': [
    'a spot check that was made before the run',
    'a spot check that left out operations',
    'a spot check that repeated nothing',
  ],
  'sign a revoked run again': ['a run that was revoked and is signed again'],
  'remove the countersignature': [
    "the owner's signature removed",
    'the spot check removed',
    'a countersignature that was copied from another certificate',
    'the spot check of another certificate',
  ],
};

it('every attack of the threat model is shown by tests, and every one of these exists', async () => {
  const page = await readFile(join(packageRoot, 'docs', 'certifying.md'), 'utf8');
  const [, table = ''] = /## Threat model\n\n\|.*\n\|.*\n((?:\|.*\n)+)/.exec(page) ?? [];
  const attacks = [...table.matchAll(/^\| (.*?) \|/gm)].map(([, attack = '']) => attack);
  expect(attacks.length).toBeGreaterThan(15);
  const beginnings = Object.keys(shown);
  expect(attacks.filter((attack) => !beginnings.some((one) => attack.startsWith(one)))).toEqual([]);
  expect(beginnings.filter((one) => !attacks.some((attack) => attack.startsWith(one)))).toEqual([]);
  const tests = (await Promise.all(files.map((file) => readFile(join(packageRoot, file), 'utf8')))).join(
    '\n',
  );
  const named = Object.values(shown).flat();
  expect(named.filter((name) => !tests.includes(name))).toEqual([]);
});
