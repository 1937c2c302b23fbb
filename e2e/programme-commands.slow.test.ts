import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { addSignature, serialiseEnvelope } from '../harness/certification/envelope.ts';
import { type SpotCheckResult, signSpotCheck } from '../harness/certification/spot-check.ts';
import { harnessIdentity } from '../harness/identity.ts';
import { type CertifiedTexts, filesIn, statementIn } from './certified-run-for-tests.ts';
import { commandsIn, type Ended } from './cli-for-tests.ts';
import { callCli } from './in-process-for-tests.ts';
import {
  certified,
  envelopeOf,
  folder,
  otherChallenge,
  passed,
  programmeKey,
  startProgramme,
  stopProgramme,
} from './programme-for-tests.ts';

const challenging =
  'challenge --product Shop --base-url http://127.0.0.1:8080 --development --days 1 ' +
  '--sign-key programme/certificate-private.pem --out named.json --vendor';

const { cli, refused } = commandsIn(() => folder, callCli);

/** What `run` wrote. */
let byCli: CertifiedTexts;

beforeAll(async () => {
  await startProgramme();
  const run = await cli(`${certified} --challenge genuine.json --report-dir genuine`);
  if (run.exitCode !== 0) throw new Error(run.stdout + run.stderr);
  byCli = await filesIn(join(folder, 'genuine'));
});

afterAll(stopProgramme);

describe('run --certify --challenge is refused before anything is sent', () => {
  it.each([
    ['without a key', '--development', /your key is missing/],
    ['with a seed', '--development --sign-key owner.pem --seed 3', /--seed is set/],
    ['without --development', '--sign-key owner.pem', /on loopback/],
    ['with another key', '--development --sign-key programme/certificate-private.pem', /it requires the key/],
    [
      'with another base URL',
      '--development --sign-key owner.pem --base-url http://127.0.0.1:9',
      /it is for http:\/\/127\.0\.0\.1:\d+, and the target is http:\/\/127\.0\.0\.1:9/,
    ],
    ['with --insecure', '--development --sign-key owner.pem --insecure', /accepts any server/],
    [
      'over a socket with a foreign host',
      '--sign-key owner.pem --base-url http://api.acme.example --unix-socket /dev/null',
      /names another host|socket/,
    ],
  ])('%s', async (_what, flags, why) => {
    await refused(`run --certify --target t.yaml --challenge genuine.json ${flags}`, why);
  });

  it.each([
    ['after the window', { notAfter: '2020-01-02T00:00:00.000Z' }, /its window ended/],
    ['before the window', { notBefore: '2099-01-01T00:00:00.000Z' }, /its window begins/],
    ['for another version', { harness: { ...harnessIdentity, version: '9.9.9' } }, /npx .*@9\.9\.9 run/],
  ])('%s', async (_what, terms, why) => {
    await writeFile(join(folder, 'other.json'), serialiseEnvelope(otherChallenge(terms)));
    await refused(`${certified} --challenge other.json`, why);
  });

  it('with the embedded service', async () => {
    await refused('run --certify --sign-key owner.pem', 'embedded service');
  });

  it('through a proxy that nobody named', async () => {
    await refused(
      'run --certify --sign-key owner.pem --base-url http://api.acme.example',
      'name it: --allow-proxy http://127.0.0.1:9',
      { http_proxy: 'http://127.0.0.1:9' },
    );
  });
});

describe('challenge', () => {
  it.each([
    ['a Cyrillic letter in a Latin word', '\u0410cme'],
    ['mathematical letters', '\u{1d400}\u{1d41c}\u{1d426}\u{1d41e}'],
    ['circled letters', '\u24b6\u24d2\u24dc\u24d4'],
    ['letters in black squares', '\u{1f170}cme'],
    ['full-width letters', '\uff21\uff23\uff2d\uff25'],
    ['a filler', 'Acme\u3164'],
    ['a decomposed letter', 'Cafe\u0301'],
  ])('refuses a name with %s', async (_what, vendor) => {
    await refused(`${challenging} ${vendor}`, 'error: --vendor');
  });

  it('accepts names in any alphabet', async () => {
    const vendor = 'Acme\u2122 Caf\u00e9 \u6771\u4eac\u30b9\u30c8\u30a2EC \u0410\u043a\u043c\u0435';
    expect((await cli([...challenging.split(' '), vendor])).exitCode).toBe(0);
  });
});

describe('countersign', () => {
  it('refuses a spot check of another certificate, a failed one and a stranger', async () => {
    const spotCheck = async (name: string, certificate: string, result: SpotCheckResult): Promise<void> =>
      writeFile(join(folder, name), JSON.stringify({ version: 1, certificate, result }));
    const files = byCli;
    const digest = createHash('sha256')
      .update(Buffer.from(envelopeOf(files).payload, 'base64'))
      .digest('hex');
    await spotCheck('foreign.json', '0'.repeat(64), passed());
    await spotCheck('failed.json', digest, { ...passed(), passed: false });
    await spotCheck('good.json', digest, passed());
    const sign = (file: string, key: string): Promise<Ended> =>
      cli(`countersign genuine --development --spot-check ${file} --sign-key ${key}`);
    const key = 'programme/certificate-private.pem';
    expect((await sign('foreign.json', key)).stderr).toContain('it is about another certificate');
    for (const [part, why] of [
      [{ operations: 3 }, 'it reached 3 of 25 operations'],
      [{ startedAt: '2020-01-01T00:00:00.000Z' }, 'it was made before the certificate'],
      [{ baseUrl: 'http://127.0.0.1:9' }, 'it is about another base URL'],
      [{ repeated: 0 }, 'it repeated no case'],
    ] as const) {
      await spotCheck('poor.json', digest, { ...passed(), ...part });
      expect((await sign('poor.json', key)).stderr).toContain(why);
    }
    expect((await sign('failed.json', key)).stderr).toContain('did not pass the spot check');
    expect((await sign('good.json', 'owner.pem')).stderr).toContain('the level of trust is only');
    expect(await sign('good.json', key)).toMatchObject({ exitCode: 0, stderr: '' });
    expect((await sign('good.json', key)).stderr).toContain('already countersigned');
    const checked = await cli(
      'verify genuine --development --require countersigned --vendor Acme --json ' +
        '--owner-key programme/certificate-public.pem',
    );
    expect(checked.exitCode).toBe(0);
    expect(JSON.parse(checked.stdout)).toMatchObject({
      valid: true,
      level: 'countersigned',
      claims: { vendor: 'Acme', product: 'Shop', development: true, spotCheck: { repeated: 40 } },
      remarks: expect.arrayContaining([expect.stringMatching(/does not cover .*report\.html/)]),
    });
  });
});

describe('register', () => {
  it('lists what it verifies and withdraws, and refuses uncountersigned and edited certificates', async () => {
    const put = async (name: string, files: CertifiedTexts): Promise<void> => {
      await mkdir(join(folder, 'entries', name), { recursive: true });
      for (const [file, text] of [
        ['certificate.json', files.certificate],
        ['report.json', files.report],
        ['evidence.har', files.evidence],
      ] as const)
        await writeFile(join(folder, 'entries', name, file), text ?? '');
    };
    const build = (): Promise<Ended> =>
      cli('register entries --development --out site --owner-key programme/certificate-public.pem');
    const files = byCli;
    const envelope = envelopeOf(files);
    const signed = {
      ...addSignature(envelope, programmeKey),
      spotCheck: signSpotCheck(envelope, passed(), programmeKey),
    };
    await put('acme', { ...files, certificate: serialiseEnvelope(signed) });
    await put('aaa', { ...files, certificate: serialiseEnvelope(signed) });
    await put('Acme', { ...files, certificate: serialiseEnvelope(signed) });
    await put('not-countersigned', files);
    await put('edited', { ...files, report: (files.report ?? '').replace('"pass"', '"fail"') });
    const first = await build();
    expect(first.exitCode).toBe(1);
    // A copy does not take the place of the entry, whatever its name.
    expect(first.stderr).toContain('aaa and acme and Acme answer the same challenge: keep one');
    // Neither displaces the other where letter case does not count.
    expect(first.stderr).toContain('acme and Acme differ in letter case alone: rename one');
    expect(first.stderr).toContain('the level of trust is only challenged; required: countersigned');
    expect(first.stderr).toContain('edited: not listed');
    const listed = async (): Promise<{
      entries: ReadonlyArray<{ name: string; place: string; status: string; certificate: string }>;
    }> => JSON.parse(await readFile(join(folder, 'site', 'certified.json'), 'utf8'));
    const before = await listed();
    expect(before.entries).toMatchObject([
      { name: 'aaa', place: 'aaa' },
      { name: 'acme', status: 'valid', place: expect.stringMatching(/^acme-[0-9a-f]{8}$/) },
      { name: 'Acme', status: 'valid', place: expect.stringMatching(/^Acme-[0-9a-f]{8}$/) },
    ]);
    for (const name of ['aaa', 'Acme']) await rm(join(folder, 'entries', name), { recursive: true });
    await build();
    expect(await readFile(join(folder, 'site', 'index.html'), 'utf8')).toContain(
      'href="entries/acme/index.html"',
    );
    expect(await readFile(join(folder, 'site', 'entries', 'acme', 'index.html'), 'utf8')).toContain(
      'A rehearsal',
    );
    const [{ certificate } = { certificate: '' }] = before.entries;
    await writeFile(
      join(folder, 'entries', 'revocations.yaml'),
      stringify([{ certificate, date: '2026-01-31', reason: 'the product was withdrawn' }]),
    );
    await build();
    expect((await listed()).entries).toMatchObject([{ name: 'acme', status: 'revoked' }]);
    // 'a run that was revoked and is signed again' would have another digest: the run is named.
    const run = { run: statementIn(files.certificate ?? '').predicate.run.id };
    await writeFile(
      join(folder, 'entries', 'revocations.yaml'),
      stringify([{ ...run, date: '2026-01-31', reason: 'the evidence was invented' }]),
    );
    await build();
    expect((await listed()).entries).toMatchObject([{ name: 'acme', status: 'revoked' }]);
    // What is no entry any more is listed all the same.
    await rename(join(folder, 'entries', 'acme'), join(folder, 'acme'));
    expect((await build()).stderr).toContain(`revocations.yaml: no entry is ${run.run}`);
    expect(await listed()).toMatchObject({ entries: [], revocations: [run] });
    expect(await readFile(join(folder, 'site', 'index.html'), 'utf8')).toContain(`run ${run.run}`);
  });

  it.each([
    ['is no list', 'revocations.yaml', 'everything: revoked'],
    ['holds a second document', 'revocations.yaml', '[]\n---\n[]\n'],
    ['has another name', 'revocations.yml', '[]\n'],
  ])('refuses a list of revocations that %s', async (_what, name, text) => {
    await rm(join(folder, 'withdrawn'), { recursive: true, force: true });
    await mkdir(join(folder, 'withdrawn'));
    await writeFile(join(folder, 'withdrawn', name), text);
    await refused('register withdrawn --out none --owner-key programme/certificate-public.pem', name);
  });
});
