import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { type RunningService, startService } from '../fixtures/reference-service/start-service.ts';
import { type Challenge, makeChallenge, parseChallenge } from '../harness/certification/challenge.ts';
import {
  addSignature,
  canonicalJson,
  challengeType,
  type Envelope,
  enclose,
  serialiseEnvelope,
} from '../harness/certification/envelope.ts';
import type { LevelOfTrust } from '../harness/certification/level-of-trust.ts';
import { readPrivateKey } from '../harness/certification/signing-key.ts';
import { type SpotCheckResult, signSpotCheck } from '../harness/certification/spot-check.ts';
import type { Statement } from '../harness/certification/statement.ts';
import type { CertifiedFiles, Verifier } from '../harness/engine/verify-certificate.ts';
import { harnessIdentity } from '../harness/identity.ts';
import {
  certificateText,
  type Draft,
  derivedReport,
  draftOf,
  evidenceText,
  filesIn,
  forged,
  forger,
  type Mutable,
  owner,
  ownerKeyFile,
  shortRun,
  statementIn,
  verified,
} from './certified-run-for-tests.ts';
import { callCli } from './in-process-for-tests.ts';

// The helpers call the vendor's key the owner's; the programme has a key of its own.
const vendor = owner;
const vendorKey = readPrivateKey(vendor.privatePem, 'test');
const strangerKey = readPrivateKey(forger.privatePem, 'test');
let programmeKey: KeyObject;
let folder: string;
let service: RunningService;
let challengeText: string;
let genuine: CertifiedFiles;
let another: CertifiedFiles;

const certified = [
  'run',
  '--quiet',
  '--certify',
  '--development',
  '--target',
  't.yaml',
  '--sign-key',
  'owner.pem',
];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'conformance-programme-'));
  service = await startService();
  await ownerKeyFile(folder);
  await writeFile(join(folder, 't.yaml'), stringify(service.target));
  await callCli(['keygen', '--out', 'programme'], { cwd: folder });
  programmeKey = readPrivateKey(
    await readFile(join(folder, 'programme', 'certificate-private.pem'), 'utf8'),
    'test',
  );
  await writeFile(join(folder, 'vendor-public.pem'), vendor.publicPem);
  for (const name of ['genuine', 'another']) {
    const challenge = await callCli(
      [
        ...['challenge', '--vendor', 'Acme', '--product', 'Shop', '--base-url', service.baseUrl],
        ...['--vendor-key', 'vendor-public.pem', '--development', '--out', `${name}.json`],
        ...['--sign-key', 'programme/certificate-private.pem'],
      ],
      { cwd: folder },
    );
    const run = await callCli([...certified, '--challenge', `${name}.json`, '--report-dir', name], {
      cwd: folder,
    });
    if (challenge.exitCode + run.exitCode !== 0) throw new Error(challenge.stderr + run.stdout + run.stderr);
  }
  challengeText = await readFile(join(folder, 'genuine.json'), 'utf8');
  const answering = (envelope: Envelope): Promise<CertifiedFiles> =>
    shortRun(service, { envelope, vendor: 'Acme', product: 'Shop' });
  genuine = await answering(parseChallenge(challengeText).envelope);
  another = await answering(parseChallenge(await readFile(join(folder, 'another.json'), 'utf8')).envelope);
});

afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

/** The level that owner and vendor key prove, and the problems. */
async function levelOf(
  files: CertifiedFiles,
  verifier: Partial<Verifier> = {},
): Promise<{ readonly level: LevelOfTrust | undefined; readonly problems: string }> {
  const { level, problems, unknowns } = await verified(files, {
    withKey: true,
    verifier: { ownerKey: createPublicKey(programmeKey), ...verifier },
  });
  return { level, problems: [...problems, ...unknowns].join('\n') };
}

const passed = (): SpotCheckResult => ({
  baseUrl: service.baseUrl,
  startedAt: new Date().toISOString(),
  durationMs: 100,
  repeated: 40,
  unrepeated: 0,
  operations: 25,
  requests: 200,
  differences: [],
  passed: true,
});

const envelopeOf = ({ certificate = '' }: CertifiedFiles): Envelope => JSON.parse(certificate) as Envelope;

/** The genuine certificate, countersigned. */
function countersigned(result: SpotCheckResult = passed(), key: KeyObject = programmeKey): CertifiedFiles {
  const envelope = envelopeOf(genuine);
  const signed = { ...addSignature(envelope, key), spotCheck: signSpotCheck(envelope, result, key) };
  return { ...genuine, certificate: serialiseEnvelope(signed) };
}

/** The challenge with other terms, signed by a key. */
function otherChallenge(terms: Partial<Challenge>, key: KeyObject = programmeKey): Envelope {
  const {
    version: _version,
    nonce: _nonce,
    owner: _owner,
    ...others
  } = parseChallenge(challengeText).document;
  return makeChallenge({ ...others, ...terms }, key);
}

/** A certificate with a challenge in place of the genuine one, signed by the vendor. */
function withChallenge(envelope: Envelope): CertifiedFiles {
  const draft = draftOf(genuine);
  const { document } = parseChallenge(JSON.stringify(envelope));
  draft.challenge = { envelope, vendor: document.vendor, product: document.product };
  return forged(draft, vendor.privatePem);
}

/** Files after a change of the draft that the vendor signs. */
async function changed(
  change: (draft: Draft) => void,
  key: string = vendor.privatePem,
): Promise<CertifiedFiles> {
  const draft = draftOf(genuine);
  change(draft);
  draft.report = await derivedReport(draft);
  return forged(draft, key);
}

/** Files after a change of the statement that the vendor signs. */
function stated(change: (statement: Mutable<Statement>) => void): CertifiedFiles {
  const statement = structuredClone(statementIn(genuine.certificate ?? '')) as Mutable<Statement>;
  change(statement);
  return { ...genuine, certificate: certificateText(statement as Statement, vendor.privatePem) };
}

function shift({ report, log }: Draft, ms: number): void {
  const moved = (time: string): string => new Date(Date.parse(time) + ms).toISOString();
  report.run.startedAt = moved(report.run.startedAt);
  for (const exchange of log.exchanges) exchange.startedAt = moved(exchange.startedAt);
}

const day = 86_400_000;

describe('a genuine certificate', () => {
  it('reaches the level that its keys prove', async () => {
    expect(await levelOf(genuine)).toEqual({ level: 'challenged', problems: '' });
    expect(await levelOf(countersigned())).toEqual({ level: 'countersigned', problems: '' });
    const { level } = await verified(genuine);
    expect(level).toBe('self-declared');
    expect((await verified(genuine, { withKey: true })).level).toBe('signed');
    // The challenge names the vendor's key, so that the owner's key suffices.
    const ownerKey = createPublicKey(programmeKey);
    expect((await verified(genuine, { verifier: { ownerKey } })).level).toBe('challenged');
  });

  it('follows the DSSE specification and RFC 8785, by code that is not ours', () => {
    const { payload, payloadType, signatures } = envelopeOf(countersigned());
    const bytes = Buffer.from(payload, 'base64');
    const members = Object.keys(JSON.parse(bytes.toString()) as object);
    expect(members).toEqual([...members].sort());
    const message = Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${bytes.length} ${bytes}`);
    const keys = [createPublicKey(vendor.publicPem), createPublicKey(programmeKey)];
    expect(
      signatures.map(({ sig }, at) => verify(null, message, keys[at] ?? '', Buffer.from(sig, 'base64'))),
    ).toEqual([true, true]);
  });
});

const acme = { vendor: 'Umbrella', product: 'Shop' };

/** Attacks with files that the vendor makes, with the words of the claim that refuses each. */
const refused: Readonly<Record<string, readonly [() => CertifiedFiles | Promise<CertifiedFiles>, RegExp]>> = {
  'answers of another run': [
    () =>
      changed((draft) => {
        draft.log = draftOf(another).log;
      }),
    /seed of the run does not derive/,
  ],
  'answers of another run under the seed and run id of this one': [
    () =>
      changed((draft) => {
        const { log } = draftOf(another);
        log.run = { ...log.run, id: draft.log.run.id, options: draft.log.run.options };
        draft.log = log;
      }),
    /the request id is not that of the run/,
  ],
  'answers of another run whose request ids, seed and run id are rewritten': [
    () =>
      changed((draft) => {
        const { run } = draft.log;
        const { log } = draftOf(another);
        const text = evidenceText(log).replaceAll(log.run.id, run.id);
        draft.log = draftOf({ ...genuine, evidence: text }).log;
        draft.log.run.options.seed = run.options.seed;
      }),
    /and the plan requires/,
  ],
  'a request that was replaced by a harmless one': [
    () =>
      changed(({ log }) => {
        const step = log.exchanges.find((one) => one.step === 'random');
        const other = log.exchanges.find((one) => one.id !== step?.id && one.step === 'random');
        if (step === undefined || other === undefined) throw new Error('no random values were sent');
        const id = step.request.headers.find(([name]) => name === 'x-request-id');
        step.request = structuredClone(other.request);
        step.request.headers = step.request.headers.map((one) =>
          one[0] === 'x-request-id' && id !== undefined ? id : one,
        );
      }),
    /and the plan requires/,
  ],
  'cases that sent less than planned': [
    () =>
      changed(({ log }) => {
        const attempt = log.attempts.find(({ case: { check } }) => check === 'auth/invalid-key-is-refused');
        if (attempt === undefined) throw new Error('no invalid keys were sent');
        const prefix = `${attempt.case.operation}/${attempt.case.check}/1.`;
        const own = log.exchanges.filter(({ id }) => id.startsWith(prefix));
        const last = own.at(-1)?.id;
        log.exchanges = log.exchanges.filter(({ id }) => id !== last);
        for (const one of log.attempts) one.after = Math.min(one.after, log.exchanges.length);
        attempt.judged = `1-${own.length - 1}`;
      }),
    /the evidence lacks a planned request/,
  ],
  'a request that no plan requires': [
    () =>
      changed(({ log }) => {
        const attempt = log.attempts.find(({ case: { check } }) => check === 'auth/invalid-key-is-refused');
        if (attempt === undefined) throw new Error('no invalid keys were sent');
        const prefix = `${attempt.case.operation}/${attempt.case.check}/1.`;
        const own = log.exchanges.filter(({ id }) => id.startsWith(prefix));
        const last = own.at(-1);
        if (last === undefined) throw new Error('no invalid keys were sent');
        const id = `${prefix}${own.length + 1}`;
        const text = JSON.stringify(last).replaceAll(`${last.id}"`, `${id}"`);
        log.exchanges.splice(log.exchanges.indexOf(last) + 1, 0, JSON.parse(text));
        attempt.judged = `1-${own.length + 1}`;
      }),
    /the plan requires no such request/,
  ],
  'another salt of unique values': [
    () =>
      changed(({ log }) => {
        delete log.run.derivation;
      }),
    /does not say what its requests derive from/,
  ],
  'another base URL': [
    () =>
      changed((draft) => {
        const text = evidenceText(draft.log).replaceAll(service.baseUrl, 'https://api.acme.example');
        draft.log = draftOf({ ...genuine, evidence: text }).log;
        draft.report.target.baseUrl = 'https://api.acme.example';
      }),
    /challenge: it is for http:\/\/127.* and the run tested https:\/\/api\.acme\.example/,
  ],
  'dates before the challenge': [() => changed((draft) => shift(draft, -30 * day)), /outside its window/],
  'dates within the window that the responses contradict': [
    () => changed((draft) => shift(draft, 3_600_000)),
    /Date headers of \d+ of \d+ responses/,
  ],
  'the challenge of another vendor': [
    () =>
      stated(({ predicate }) => {
        predicate.vendor = 'Umbrella';
      }),
    /it is for the vendor Acme, and the certificate names Umbrella/,
  ],
  'another product': [
    () =>
      stated(({ predicate }) => {
        predicate.product = 'Shop Pro';
      }),
    /it is for the product Shop/,
  ],
  'a fresh challenge for recorded evidence': [
    () => withChallenge(otherChallenge({})),
    /seed of the run does not derive from its nonce/,
  ],
  'a challenge for another base URL': [
    () => withChallenge(otherChallenge({ baseUrl: 'https://api.acme.example' })),
    /challenge: it is for https:\/\/api\.acme\.example/,
  ],
  'a challenge whose window is over': [
    () => withChallenge(otherChallenge({ notAfter: '2020-01-02T00:00:00.000Z' })),
    /outside its window/,
  ],
  'a challenge for another version': [
    () => withChallenge(otherChallenge({ harness: { ...harnessIdentity, version: '9.9.9' } })),
    /it requires commerce-conformance 9\.9\.9/,
  ],
  'a challenge for another vendor key': [
    () => withChallenge(otherChallenge({ vendorKey: '0'.repeat(64) })),
    /it requires the vendor key 0+, and/,
  ],
  'a challenge for a product, answered by a rehearsal': [
    () => withChallenge(otherChallenge({ development: false })),
    /differ in whether this is a development certificate/,
  ],
  'a challenge with longer dates under the old signature': [
    () => {
      const { document, envelope } = parseChallenge(challengeText);
      const payload = canonicalJson({ ...document, notAfter: '2099-01-01T00:00:00.000Z' });
      const edited = { ...envelope, payload: Buffer.from(payload).toString('base64') };
      const draft = draftOf(genuine);
      draft.challenge = { envelope: edited, vendor: 'Acme', product: 'Shop' };
      return forged(draft, vendor.privatePem);
    },
    /does not have exactly the signature of the owner key/,
  ],
  'a statement in place of the challenge': [
    () => {
      const draft = draftOf(genuine);
      draft.challenge = { ...acme, envelope: enclose('{}', programmeKey) };
      return forged(draft, vendor.privatePem);
    },
    /challenge: is not of the type/,
  ],
  'a challenge that is not canonical': [
    () => {
      const text = JSON.stringify(parseChallenge(challengeText).document, null, 1);
      const draft = draftOf(genuine);
      draft.challenge = { ...acme, envelope: enclose(text, programmeKey, challengeType) };
      return forged(draft, vendor.privatePem);
    },
    /is not canonical JSON/,
  ],
  'no signature under the challenge': [
    () => forged(draftOf(genuine)),
    /an unsigned certificate cannot answer/,
  ],
  'another seed': [
    () =>
      changed(({ log }) => {
        log.run.options.seed = 7;
      }),
    /seed of the run does not derive/,
  ],
  'another run id': [
    () =>
      changed(({ log }) => {
        log.run.id = 'conformance-00000000';
      }),
    /the run id, and so every request id, does not derive/,
  ],
  'an older version': [
    () =>
      changed(({ log, report }) => {
        log.run.harness.version = '0.0.1';
        report.harness.version = '0.0.1';
      }),
    /requires commerce-conformance .* and the run used .* 0\.0\.1/,
  ],
  'a hidden development flag': [
    () =>
      changed(({ report }) => {
        delete report.run.options['development'];
      }),
    /the base URL is on loopback/,
  ],
  'the development flag removed from the statement alone': [
    () =>
      stated(({ predicate }) => {
        delete predicate.development;
      }),
    /differs in development/,
  ],
  'an accepted server certificate': [
    () =>
      changed(({ log }) => {
        log.run.options.insecure = true;
      }),
    /--insecure accepts any server/,
  ],
  'a Unix socket with a foreign host': [
    () =>
      changed((draft) => {
        const text = evidenceText(draft.log).replaceAll(service.baseUrl, 'https://api.acme.example');
        draft.log = draftOf({ ...genuine, evidence: text }).log;
        draft.report.run.options['unixSocket'] = '/tmp/service.sock';
      }),
    /--unix-socket connects to this machine, and the base URL names another host/,
  ],
  'a public name for a service on this machine': [
    () =>
      changed((draft) => {
        const text = evidenceText(draft.log).replaceAll(service.baseUrl, 'http://api.acme.example');
        draft.log = draftOf({ ...genuine, evidence: text }).log;
      }),
    /the base URL names api\.acme\.example, and a connection reached 127\.0\.0\.1/,
  ],
  'no server certificate for an https: base URL': [
    () =>
      changed((draft) => {
        const text = evidenceText(draft.log).replaceAll(service.baseUrl, 'https://api.acme.example');
        draft.log = draftOf({ ...genuine, evidence: text }).log;
        Object.assign(draft.report.target, { peers: { addresses: ['192.0.2.1:443'], certificates: [] } });
      }),
    /no server certificate is recorded/,
  ],
  'the server certificate of another host': [
    () =>
      changed((draft) => {
        const text = evidenceText(draft.log).replaceAll(service.baseUrl, 'https://api.acme.example');
        draft.log = draftOf({ ...genuine, evidence: text }).log;
        const validUntil = '2030-01-01T00:00:00.000Z';
        const one = { sha256: '0'.repeat(64), names: 'DNS:*.good.example', issuer: 'A', validUntil };
        const peers = { addresses: ['192.0.2.1:443'], certificates: [one] };
        Object.assign(draft.report.target, { peers });
      }),
    /the server certificate 0+ is not for api\.acme\.example/,
  ],
  'no addresses': [
    () =>
      changed(({ report }) => {
        delete report.target.peers;
      }),
    /it does not say which addresses the connections reached/,
  ],
  'narrowed checks': [
    () =>
      changed(({ log }) => {
        log.run.options.checks = ['AUTH-*'];
      }),
    /--check leaves out checks/,
  ],
  'narrowed operations': [
    () =>
      changed(({ log }) => {
        log.run.options.operations = ['getPublic*'];
      }),
    /--operation leaves out operations/,
  ],
  'fewer random values': [
    () =>
      changed(({ log }) => {
        log.run.options.fuzzRuns = 1;
      }),
    /--fuzz-runs is less than/,
  ],
  'custom checks': [
    () =>
      changed(({ report }) => {
        report.run.options['checks'] = 'mine';
      }),
    /--checks adds to what a certificate speaks of/,
  ],
  'hidden exclusions': [
    () =>
      stated(({ predicate }) => {
        Object.assign(predicate, { exclusions: [{ class: 'empty', reason: 'nothing' }] });
      }),
    /differs in exclusions/,
  ],
  'edited warnings': [
    () =>
      stated(({ predicate }) => {
        predicate.warnings.push({ test: 'a/b/c', requirement: 'AUTH-2', message: 'nothing' });
      }),
    /differs in warnings/,
  ],
  'edited custom checks': [
    () =>
      stated(({ predicate }) => {
        predicate.customChecks.push('MINE-1');
      }),
    /differs in customChecks/,
  ],
  'another way of connecting in the statement': [
    () =>
      stated(({ predicate }) => {
        Object.assign(predicate, { connection: { protocol: 'HTTP/2' } });
      }),
    /differs in connection/,
  ],
  "a stranger's signature": [
    () => changed(() => undefined, forger.privatePem),
    /is signed by .*, not by|requires the vendor key/,
  ],
  'the spot check of another certificate': [
    () => ({
      ...genuine,
      certificate: serialiseEnvelope({
        ...addSignature(envelopeOf(genuine), programmeKey),
        spotCheck: signSpotCheck(envelopeOf(another), passed(), programmeKey),
      }),
    }),
    /spot check: it is about another certificate/,
  ],
  'a spot check that failed': [
    () => countersigned({ ...passed(), passed: false, differences: ['getPublicProduct: another answer'] }),
    /spot check: the service did not pass it/,
  ],
  'a spot check of another service': [
    () => countersigned({ ...passed(), baseUrl: 'https://good.example' }),
    /spot check: it is about another base URL/,
  ],
  'a spot check that the vendor signed': [
    () => ({
      ...genuine,
      certificate: serialiseEnvelope({
        ...addSignature(envelopeOf(genuine), programmeKey),
        spotCheck: signSpotCheck(envelopeOf(genuine), passed(), vendorKey),
      }),
    }),
    /spot check: its owner key is not that of the challenge/,
  ],
  'a countersignature of a stranger': [() => countersigned(passed(), strangerKey), /which it does not name/],
  'a countersignature that was copied from another certificate': [
    () => {
      const [, copied] = addSignature(envelopeOf(another), programmeKey).signatures;
      const envelope = envelopeOf(countersigned());
      const signatures = [envelope.signatures[0], copied] as Envelope['signatures'];
      return { ...genuine, certificate: serialiseEnvelope({ ...envelope, signatures }) };
    },
    /the owner's signature is wrong/,
  ],
};

describe('refused', () => {
  it.each(Object.entries(refused))('%s', async (_what, [attack, claim]) => {
    const { level, problems } = await levelOf(await attack());
    expect(problems).toMatch(claim);
    expect(level).toBeUndefined();
  });
});

/** Attacks that leave a consistent certificate, with the level that it deserves. */
const lowered: Readonly<
  Record<string, readonly [() => CertifiedFiles | Promise<CertifiedFiles>, LevelOfTrust]>
> = {
  'the challenge removed': [
    () => {
      const draft = draftOf(genuine);
      delete draft.challenge;
      return forged(draft, vendor.privatePem);
    },
    'signed',
  ],
  "the owner's signature removed": [
    () => {
      const { signatures, ...envelope } = envelopeOf(countersigned());
      const kept = { ...envelope, signatures: signatures.slice(0, 1) };
      const { payloadType, payload, spotCheck } = kept;
      const text = { payloadType, payload, signatures: kept.signatures, ...(spotCheck && { spotCheck }) };
      return { ...genuine, certificate: serialiseEnvelope(text) };
    },
    'challenged',
  ],
  'the spot check removed': [
    () => {
      const { spotCheck: _spotCheck, ...envelope } = envelopeOf(countersigned());
      return { ...genuine, certificate: serialiseEnvelope(envelope) };
    },
    'challenged',
  ],
};

describe('lowered', () => {
  it.each(Object.entries(lowered))('%s', async (_what, [attack, level]) => {
    expect(await levelOf(await attack())).toEqual({ level, problems: '' });
  });

  it('a challenge of an owner that the verifier does not know', async () => {
    const ownerKey = createPublicKey(strangerKey);
    expect(await levelOf(countersigned(), { ownerKey })).toEqual({ level: 'signed', problems: '' });
  });

  it('answers that were made up throughout are self-declared without a known key', async () => {
    const draft = draftOf(genuine);
    delete draft.challenge;
    const { level, problems } = await verified(forged(draft, forger.privatePem));
    expect({ level, problems }).toEqual({ level: 'self-declared', problems: [] });
  });
});

describe('a verifier', () => {
  it.each([
    [{ expected: { baseUrl: 'https://api.acme.example' } }, /not about https:\/\/api\.acme\.example/],
    [{ expected: { vendor: 'Umbrella' } }, /the vendor is Acme, not Umbrella/],
    [{ expected: { maxAgeDays: 0 } }, /more than 0 days ago/],
    [{ development: false }, /it is a development certificate/],
  ] as const)('refuses other claims than %j', async (verifier, claim) => {
    expect((await levelOf(genuine, verifier)).problems).toMatch(claim);
  });

  it('believes the name of a vendor only from the owner', async () => {
    const { problems } = await verified(genuine, {
      withKey: true,
      verifier: { expected: { vendor: 'Acme' } },
    });
    expect(problems).toEqual([expect.stringContaining('no trusted owner confirms the vendor')]);
  });
});

describe('run --certify --challenge is refused before anything is sent', () => {
  it.each([
    ['without a key', ['--development'], /your key is missing/],
    ['with a seed', ['--development', '--sign-key', 'owner.pem', '--seed', '3'], /--seed is set/],
    ['without --development', ['--sign-key', 'owner.pem'], /on loopback/],
    [
      'with another key',
      ['--development', '--sign-key', 'programme/certificate-private.pem'],
      /it requires the key/,
    ],
    [
      'with another base URL',
      ['--development', '--sign-key', 'owner.pem', '--base-url', 'http://127.0.0.1:9'],
      /it is for http:\/\/127\.0\.0\.1:\d+, and the target is http:\/\/127\.0\.0\.1:9/,
    ],
    ['with --insecure', ['--development', '--sign-key', 'owner.pem', '--insecure'], /accepts any server/],
    [
      'over a socket with a foreign host',
      ['--sign-key', 'owner.pem', '--base-url', 'http://api.acme.example', '--unix-socket', '/dev/null'],
      /names another host|socket/,
    ],
  ])('%s', async (_what, flags, why) => {
    const { exitCode, stderr } = await callCli(
      ['run', '--certify', '--target', 't.yaml', '--challenge', 'genuine.json', ...flags],
      { cwd: folder },
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringMatching(why) });
  });

  it.each([
    ['after the window', { notAfter: '2020-01-02T00:00:00.000Z' }, /its window ended/],
    ['before the window', { notBefore: '2099-01-01T00:00:00.000Z' }, /its window begins/],
    ['for another version', { harness: { ...harnessIdentity, version: '9.9.9' } }, /npx .*@9\.9\.9 run/],
  ])('%s', async (_what, terms, why) => {
    await writeFile(join(folder, 'other.json'), serialiseEnvelope(otherChallenge(terms)));
    const { exitCode, stderr } = await callCli([...certified, '--challenge', 'other.json'], { cwd: folder });
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringMatching(why) });
  });

  it('with the embedded service', async () => {
    const { exitCode, stderr } = await callCli(['run', '--certify', '--sign-key', 'owner.pem'], {
      cwd: folder,
    });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining('embedded service'),
    });
  });

  it('through a proxy that nobody named', async () => {
    const { exitCode, stderr } = await callCli(
      ['run', '--certify', '--sign-key', 'owner.pem', '--base-url', 'http://api.acme.example'],
      { cwd: folder, env: { http_proxy: 'http://127.0.0.1:9' } },
    );
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining('name it: --allow-proxy http://127.0.0.1:9'),
    });
  });
});

describe('countersign', () => {
  it('refuses a spot check of another certificate, a failed one and a stranger', async () => {
    const spotCheck = async (name: string, certificate: string, result: SpotCheckResult): Promise<void> =>
      writeFile(join(folder, name), JSON.stringify({ version: 1, certificate, result }));
    const files = await filesIn(join(folder, 'genuine'));
    const digest = createHash('sha256')
      .update(Buffer.from(envelopeOf(files).payload, 'base64'))
      .digest('hex');
    await spotCheck('foreign.json', '0'.repeat(64), passed());
    await spotCheck('failed.json', digest, { ...passed(), passed: false });
    await spotCheck('good.json', digest, passed());
    const sign = (file: string, key: string): ReturnType<typeof callCli> =>
      callCli(['countersign', 'genuine', '--development', '--spot-check', file, '--sign-key', key], {
        cwd: folder,
      });
    const key = 'programme/certificate-private.pem';
    expect((await sign('foreign.json', key)).stderr).toContain('it is about another certificate');
    expect((await sign('failed.json', key)).stderr).toContain('did not pass the spot check');
    expect((await sign('good.json', 'owner.pem')).stderr).toContain('the level of trust is only');
    expect(await sign('good.json', key)).toMatchObject({ exitCode: 0, stderr: '' });
    expect((await sign('good.json', key)).stderr).toContain('already countersigned');
    const checked = await callCli(
      [
        ...['verify', 'genuine', '--development', '--require', 'countersigned', '--vendor', 'Acme', '--json'],
        ...['--owner-key', 'programme/certificate-public.pem'],
      ],
      { cwd: folder },
    );
    expect(checked.exitCode).toBe(0);
    expect(JSON.parse(checked.stdout)).toMatchObject({
      valid: true,
      level: 'countersigned',
      claims: { vendor: 'Acme', product: 'Shop', development: true, spotCheck: { repeated: 40 } },
    });
  });
});

describe('register', () => {
  it('lists what it verifies, and refuses replayed, uncountersigned and edited certificates', async () => {
    const put = async (name: string, files: CertifiedFiles): Promise<void> => {
      await mkdir(join(folder, 'entries', name), { recursive: true });
      for (const [file, text] of [
        ['certificate.json', files.certificate],
        ['report.json', files.report],
        ['evidence.har', files.evidence],
      ] as const)
        await writeFile(join(folder, 'entries', name, file), text ?? '');
    };
    const build = (): ReturnType<typeof callCli> =>
      callCli(
        [
          ...['register', 'entries', '--development', '--out', 'site'],
          ...['--owner-key', 'programme/certificate-public.pem'],
        ],
        { cwd: folder },
      );
    const files = await filesIn(join(folder, 'another'));
    const envelope = envelopeOf(files);
    const signed = {
      ...addSignature(envelope, programmeKey),
      spotCheck: signSpotCheck(envelope, passed(), programmeKey),
    };
    await put('acme', { ...files, certificate: serialiseEnvelope(signed) });
    await put('acme-again', { ...files, certificate: serialiseEnvelope(signed) });
    await put('not-countersigned', files);
    await put('edited', { ...files, report: (files.report ?? '').replace('"pass"', '"fail"') });
    const first = await build();
    expect(first.exitCode).toBe(1);
    expect(first.stderr).toContain('acme already answers the same challenge');
    expect(first.stderr).toContain('the level of trust is only challenged; required: countersigned');
    expect(first.stderr).toContain('edited: not listed');
    const listed = async (): Promise<{
      entries: ReadonlyArray<{ name: string; status: string; certificate: string }>;
    }> => JSON.parse(await readFile(join(folder, 'site', 'certified.json'), 'utf8'));
    const before = await listed();
    expect(before.entries).toMatchObject([{ name: 'acme', status: 'valid' }]);
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
    await writeFile(join(folder, 'entries', 'revocations.yaml'), 'everything: revoked');
    expect((await build()).exitCode).toBe(2);
  });
});
