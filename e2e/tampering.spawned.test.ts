import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService } from '../fixtures/reference-service/start-service.ts';
import type { Statement } from '../harness/certification/statement.ts';
import { reevaluate } from '../harness/engine/verify/reevaluate.ts';
import { bytesOf } from '../harness/evidence/evidence-log-for-tests.ts';
import { readEvidence } from '../harness/evidence/read-evidence.ts';
import type { Exchange } from '../harness/model/exchange.ts';
import type { CaseResult } from '../harness/model/report.ts';
import { seededRandom } from '../harness/seeded-random.ts';
import {
  type CertifiedTexts,
  certificateText,
  type Draft,
  derivedReport,
  draftOf,
  everything,
  evidenceText,
  filesIn,
  forged,
  forger,
  found,
  later,
  type Mutable,
  owner,
  ownerKeyFile,
  shortRun,
  statementIn,
  verified,
  written,
} from './certified-run-for-tests.ts';
import { runCli } from './cli-for-tests.ts';

let folder: string;
/** As the harness wrote it. */
let whole: CertifiedTexts;
/** A certificate of the same run on a few operations. */
let genuine: CertifiedTexts;
/** Of another run against the same kind of service. */
let another: CertifiedTexts;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'conformance-tampering-'));
  const key = await ownerKeyFile(folder);
  const run = ['run', '--quiet', '--certify', '--development'];
  const flags = [...run, '--sign-key', key, '--report-dir'];
  const { exitCode, stdout, stderr } = await runCli([...flags, 'genuine'], { cwd: folder });
  if (exitCode !== 0) throw new Error(stdout + stderr);
  whole = await filesIn(join(folder, 'genuine'));
  const service = await startService();
  genuine = await shortRun(service);
  another = await shortRun(service);
  await service.close();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const problemsOf = async (
  files: CertifiedTexts,
  options?: Parameters<typeof verified>[1],
): Promise<readonly string[]> => {
  const { problems, unknowns } = await verified(files, options);
  return [...problems, ...unknowns];
};

type MutableExchange = Mutable<Exchange>;
type MutableResult = Mutable<CaseResult>;

const passed = ({ report }: Draft): MutableResult =>
  found(report.results, ({ outcome, exchanges }) => outcome === 'pass' && exchanges.length > 2);
const probe = ({ log }: Draft, status: number): MutableExchange =>
  found(log.exchanges, (one) => one.role === 'probe' && one.response?.status === status);
const control = ({ log }: Draft): MutableExchange =>
  found(log.exchanges, (one) => one.role === 'control' && one.response?.status === 200);
const answer = (exchange: MutableExchange): NonNullable<MutableExchange['response']> => {
  if (exchange.response === undefined) throw new Error('there is no answer');
  return exchange.response;
};

/** Changes to the report alone. */
const reports: Readonly<Record<string, (draft: Draft) => unknown>> = {
  'drops a result': ({ report }) => report.results.splice(7, 1),
  'repeats a result': ({ report }) =>
    report.results.push(structuredClone(report.results[0] as MutableResult)),
  'swaps the outcomes of two results': (draft) => {
    const pass = passed(draft);
    const other = found(draft.report.results, ({ outcome }) => outcome === 'not-applicable');
    [pass.outcome, other.outcome] = [other.outcome, pass.outcome];
  },
  'swaps two results': ({ report }) => report.results.push(...report.results.splice(0, 1)),
  'marks a case not applicable': (draft) => {
    Object.assign(passed(draft), {
      outcome: 'not-applicable',
      message: 'nothing of the kind',
      exchanges: [],
    });
    draft.report.summary.pass -= 1;
    draft.report.summary.notApplicable += 1;
  },
  'turns a must into a should': (draft) => Object.assign(passed(draft), { level: 'should' }),
  'renames the check of a case': (draft) =>
    Object.assign(passed(draft), { check: 'auth/everything-is-fine' }),
  'moves a result to another operation': (draft) =>
    Object.assign(passed(draft), { operation: 'getPublicBootstrap' }),
  'deletes an operation': ({ report }) => {
    const [gone] = report.operations.splice(3, 1);
    report.results = report.results.filter(({ operation }) => operation !== gone?.id);
    report.coverage = report.coverage.filter(({ operation }) => operation !== gone?.id);
  },
  'changes a message': (draft) => Object.assign(passed(draft), { message: 'held most of the time' }),
  'lists an exchange that does not exist': (draft) => passed(draft).exchanges.push('a/b/1.1'),
  'leaves out an exchange that was judged': (draft) => passed(draft).exchanges.pop(),
  'changes the summary': ({ report }) => {
    report.summary.pass += 1;
  },
  'says that a status was observed': ({ report }) => {
    Object.assign(
      found(report.coverage, ({ observed }) => observed === 0),
      { observed: 1, reason: null },
    );
  },
  'says that less was sent': ({ report }) => {
    report.traffic.requests -= 100;
  },
  'says that it was faster': ({ report }) => Object.assign(report.traffic.latencyMs, { p95: 0.1 }),
  'adds a cause': ({ report }) => {
    report.causes.push({
      requirement: 'AUTH-2',
      signature: 'x',
      operations: ['listPublicProducts'],
      count: 1,
      example: '00000000',
    });
  },
  'names another base URL': ({ report }) =>
    Object.assign(report.target, { baseUrl: 'https://commerce.example' }),
  'names another seed': ({ report }) => {
    report.run.seed += 1;
  },
  'says that the run was a day later': ({ report }) =>
    Object.assign(report.run, { startedAt: later(report.run.startedAt, 86_400_000) }),
  'names another version': ({ report }) => Object.assign(report.harness, { version: '9.9.9' }),
  'names another contract': ({ report }) =>
    Object.assign(report.contract, { digest: `sha256:${'0'.repeat(64)}` }),
  'says that the run was interrupted': ({ report }) => Object.assign(report.run, { interrupted: true }),
  'accepts findings by a baseline': ({ report }) =>
    Object.assign(report.run.options, { baseline: 'baseline.yaml' }),
};

/** Changes to the evidence alone. */
const evidences: Readonly<Record<string, (draft: Draft) => unknown>> = {
  'drops an exchange': ({ log }) => log.exchanges.splice(100, 1),
  'drops the last exchange of an attempt': (draft) => {
    const { log } = draft;
    const last = found(log.attempts, (one) => /-\d+$/.test(one.judged));
    const number = Number(last.judged.split('-').at(-1));
    const id = `${last.case.operation}/${last.case.check}/${last.attempt}.${number}`;
    log.exchanges = log.exchanges.filter((one) => one.id !== id);
  },
  'adds an exchange': ({ log }) => {
    const more = structuredClone(log.exchanges[100] as MutableExchange);
    more.id = more.id.replace(/\d+$/, '9999');
    log.exchanges.splice(101, 0, more);
  },
  'repeats an exchange': ({ log }) =>
    log.exchanges.splice(101, 0, structuredClone(log.exchanges[100] as MutableExchange)),
  'puts one exchange in the place of another': ({ log }) => {
    const [a, b] = [log.exchanges[50], log.exchanges[120]] as [MutableExchange, MutableExchange];
    log.exchanges[120] = { ...structuredClone(a), id: b.id };
  },
  'swaps the answers of two requests': (draft) => {
    const [a, b] = [probe(draft, 401), control(draft)];
    [a.response, b.response] = [answer(b), answer(a)];
  },
  'swaps the bodies of two answers': (draft) => {
    const [a, b] = [answer(probe(draft, 401)), answer(control(draft))];
    [a.body, b.body] = [b.body, a.body];
  },
  'turns a refusal into a success': (draft) => Object.assign(answer(probe(draft, 401)), { status: 200 }),
  'turns a control into a crash': (draft) => Object.assign(answer(control(draft)), { status: 500 }),
  'calls a probe a control': (draft) => Object.assign(probe(draft, 401), { role: 'control' }),
  'calls a probe a preflight': (draft) => Object.assign(probe(draft, 401), { role: 'preflight' }),
  'changes the kind of a credential': (draft) =>
    Object.assign(probe(draft, 401).request.credential, { kind: 'scoped' }),
  'gives a bad key the fingerprint of the good one': (draft) => {
    const good = found(draft.log.exchanges, ({ request }) => request.credential.kind === 'scoped');
    const bad = found(draft.log.exchanges, ({ request }) => request.credential.kind === 'invalid');
    Object.assign(bad.request.credential, { fingerprint: good.request.credential.fingerprint });
  },
  'takes a credential out of the headers': (draft) => {
    const { request } = found(draft.log.exchanges, (one) => one.request.credential.kind === 'scoped');
    request.headers = request.headers.filter(([name]) => name !== 'authorization');
  },
  'moves an exchange to another case': ({ log }) => {
    const one = found(log.exchanges, ({ case: { check } }) => check === 'auth/invalid-key-is-refused');
    one.case.check = 'auth/good-key-is-accepted';
  },
  'moves an exchange to a case that nobody planned': ({ log }) => {
    const one = found(log.exchanges, ({ case: { check } }) => check === 'auth/invalid-key-is-refused');
    one.id = one.id.replace('auth/invalid', 'auth/valid');
    one.case.check = 'auth/valid-key-is-refused';
  },
  'changes the attempt of an exchange': ({ log }) =>
    Object.assign(log.exchanges[100] as MutableExchange, { attempt: 2 }),
  'says that another operation was called': ({ log }) => {
    found(log.exchanges, ({ operation }) => operation === 'getApiKeyIdentity').operation =
      'getPublicBootstrap';
  },
  'changes a method': (draft) => Object.assign(control(draft).request, { method: 'DELETE' }),
  'changes a path': (draft) => Object.assign(control(draft).request, { path: '/elsewhere' }),
  'changes what a body is': (draft) => Object.assign(answer(probe(draft, 401)).body, { json: 'array' }),
  'says that an answer never came': (draft) => {
    const exchange = probe(draft, 401);
    delete (exchange as { response?: unknown }).response;
  },
  'dates an exchange before the run': ({ log }) =>
    Object.assign(log.exchanges[100] as MutableExchange, { startedAt: '2020-01-01T00:00:00.000Z' }),
  'names the run otherwise': ({ log }) => Object.assign(log.run, { id: 'conformance-00000000' }),
  'keeps an exchange from the evaluation': ({ log }) => {
    const one = found(log.attempts, (one) => /^1-\d+$/.test(one.judged) && one.judged !== '1-2');
    one.judged = one.judged.replace('1-', '2-');
  },
  'says that an exchange was only counted': ({ log }) => {
    const one = found(log.attempts, (one) => /^1-\d+$/.test(one.judged) && one.judged !== '1-2');
    Object.assign(one, { judged: one.judged.replace('1-', '2-'), omittedCount: 5 });
  },
  'has an exchange evaluated twice': ({ log }) => {
    const one = found(log.attempts, (one) => /^1-\d+$/.test(one.judged));
    one.judged += ',1';
  },
  'drops an attempt': ({ log }) => log.attempts.splice(5, 1),
  'repeats an attempt': ({ log }) => log.attempts.push(structuredClone(log.attempts[5] as never)),
  'says that a probe gave up': ({ log }) =>
    Object.assign(log.attempts[5] as object, { gaveUp: { reason: 'it was late', transient: true } }),
  'evaluates an attempt after the end': ({ log }) =>
    Object.assign(log.attempts[5] as Draft['log']['attempts'][number], { after: 999_999 }),
  'says that less was fuzzed': ({ log }) => Object.assign(log.run.options, { fuzzRuns: 0 }),
  'says that only a part was asked for': ({ log }) =>
    Object.assign(log.run.options, { operations: ['getPublic*'] }),
  'says that no certificate was asked for': ({ log }) => Object.assign(log.run.options, { certify: false }),
  'leaves out values': ({ log }) => {
    log.run.target.exclusions.push({ class: 'empty', reason: 'we know' });
  },
  'says that the service is elsewhere': ({ log }) =>
    Object.assign(log.run.target, { baseUrl: 'https://commerce.example' }),
  'names another seed': ({ log }) => Object.assign(log.run.options, { seed: 99 }),
  'names another version': ({ log }) => Object.assign(log.run.harness, { version: '9.9.9' }),
  'names another contract': ({ log }) => Object.assign(log.run, { contract: `sha256:${'0'.repeat(64)}` }),
  'names other checks': ({ log }) => Object.assign(log.run, { catalogue: '0'.repeat(64) }),
  'is that of another run': (draft) => Object.assign(draft, { log: draftOf(another).log }),
};

/** Where nothing but the name of a thing is changed, a report that is made to fit is as consistent as before. */
const fitsAfterwards: ReadonlySet<string> = new Set([
  // With a report of its own, it is another run, and a genuine one.
  'is that of another run',
]);

describe('a genuine certificate', () => {
  it('holds, and says who signed only where the key is at hand', async () => {
    const keyId = statementIn(whole.certificate ?? '').predicate.signer?.keyid;
    expect(await verified(whole, { evaluatedBy: everything })).toMatchObject({
      problems: [],
      unknowns: [],
      remarks: [expect.stringContaining(`signed by an unknown key, ${keyId}`)],
    });
    expect(await verified(whole, { evaluatedBy: everything, withKey: true })).toMatchObject({
      problems: [],
      unknowns: [],
      remarks: [`signed by ${keyId}`],
    });
    expect(await verified(genuine)).toMatchObject({ problems: [], unknowns: [] });
  });

  it('comes out to the letter when its report is derived from its evidence', async () => {
    const draft = draftOf(whole);
    expect(written(draft).evidence).toBe(whole.evidence);
    expect(await derivedReport(draft, everything)).toEqual(draft.report);
    expect(forged(draft, owner.privatePem)).toEqual(whole);
  });

  it('with 2,000 exchanges is evaluated again in under 3 seconds', async () => {
    const { log } = draftOf(whole);
    const more = log.exchanges.map((one) => ({ ...one, id: `${one.id}0000` }));
    const exchanges = [...log.exchanges, ...more].slice(0, 2_000);
    const catalogue = await everything;
    const text = evidenceText({ ...log, exchanges });
    const started = process.cpuUsage();
    const evidence = await readEvidence(bytesOf(text));
    expect((await reevaluate(catalogue, evidence)).traffic.requests).toBe(2_000);
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1000).toBeLessThan(3_000);
  });

  it('says that it is unsigned where it is', async () => {
    const unsigned = forged(draftOf(genuine));
    expect((await verified(unsigned)).remarks).toEqual(['unsigned: anybody could have made it']);
    expect((await verified(unsigned)).problems).toEqual([]);
    expect((await verified(unsigned, { withKey: true })).problems).toEqual([
      expect.stringContaining('is unsigned, not by'),
    ]);
  });
});

describe('tampering with the report', () => {
  it.each(Object.entries(reports))('that %s is found', async (_what, change) => {
    const draft = draftOf(genuine);
    change(draft);
    const { report } = written(draft);
    expect(report).not.toBe(genuine.report);
    expect(await problemsOf({ ...genuine, report })).not.toEqual([]);
    // With a new certificate that fits it, evaluating the evidence again must show it.
    expect(await problemsOf(forged(draft))).not.toEqual([]);
    expect(await problemsOf(forged(draft, forger.privatePem), { withKey: true })).not.toEqual([]);
  });
});

describe('tampering with the evidence', () => {
  it.each(Object.entries(evidences))('that %s is found', async (what, change) => {
    const draft = draftOf(genuine);
    change(draft);
    const { evidence } = written(draft);
    expect(evidence).not.toBe(genuine.evidence);
    expect(await problemsOf({ ...genuine, evidence })).not.toEqual([]);
    expect(await problemsOf(forged(draft))).not.toEqual([]);
    // And where the report is made to fit too, by the harness itself.
    try {
      draft.report = await derivedReport(draft);
    } catch {
      return;
    }
    expect(await problemsOf(forged(draft, forger.privatePem), { withKey: true })).not.toEqual([]);
    if (!fitsAfterwards.has(what)) expect(await problemsOf(forged(draft))).not.toEqual([]);
  });
});

describe('an entry', () => {
  it('that was sent elsewhere is found', async () => {
    const from = new URL(draftOf(genuine).log.run.target.baseUrl).origin;
    const evidence = (genuine.evidence ?? '').replace(`"url":"${from}`, '"url":"https://commerce.example');
    expect(evidence).not.toBe(genuine.evidence);
    expect(await problemsOf({ ...genuine, evidence })).toContainEqual(
      expect.stringContaining('entry 1 was not sent to'),
    );
  });

  it('that shows people another result than it records is found', async () => {
    const evidence = (genuine.evidence ?? '').replace(
      '"mimeType":"application/json"',
      '"mimeType":"text/html"',
    );
    expect(await problemsOf({ ...genuine, evidence })).toContainEqual(
      expect.stringContaining('differs from what the harness writes'),
    );
  });
});

/** Changes to what the certificate states, after which nobody but the owner could sign it. */
const statements: Readonly<Record<string, (statement: Mutable<Statement>) => unknown>> = {
  'is valid for longer': ({ predicate }) =>
    Object.assign(predicate, { expiresAt: later(predicate.expiresAt, 86_400_000) }),
  'is issued later': ({ predicate }) =>
    Object.assign(predicate, { issuedAt: later(predicate.issuedAt, 1_000) }),
  failed: ({ predicate }) => Object.assign(predicate, { result: 'FAILED' }),
  'is about another service': ({ subject }) =>
    Object.assign(subject[0], { name: 'https://commerce.example' }),
  'has another URL': ({ predicate }) => Object.assign(predicate, { url: 'https://commerce.example' }),
  'has another digest of the target': ({ subject }) =>
    Object.assign(subject[0].digest, { sha256: '0'.repeat(64) }),
  'leaves out a test': ({ predicate }) => predicate.passedTests.pop(),
  'has one test more': ({ predicate }) => predicate.passedTests.push('getPublicBootstrap/auth/all-is-well'),
  'leaves out a digest': ({ predicate }) => predicate.configuration.pop(),
  'has another digest': ({ predicate }) =>
    Object.assign(predicate.configuration.at(-1) as object, { digest: { sha256: '0'.repeat(64) } }),
  'has another contract': ({ predicate }) =>
    Object.assign(predicate.configuration[1] as object, { digest: { sha256: '0'.repeat(64) } }),
  'has another version': ({ predicate }) =>
    Object.assign(predicate.configuration[0] as object, { uri: 'pkg:npm/commerce-conformance@9.9.9' }),
  'has another run': ({ predicate }) => Object.assign(predicate.run, { id: 'conformance-00000000' }),
  'is of another type': (statement) =>
    Object.assign(statement, { predicateType: 'https://example.com/whatever' }),
  'has a member that nobody knows': (statement) => Object.assign(statement, { trustMe: true }),
};

/** Statements that are true of report and evidence all the same, so that only a signature holds them. */
const onlySigned: ReadonlySet<string> = new Set(['is valid for longer']);

describe('tampering with the certificate', () => {
  it.each(Object.entries(statements))('so that it %s is found', async (what, change) => {
    const statement = structuredClone(statementIn(genuine.certificate ?? '')) as Mutable<Statement>;
    change(statement);
    const envelope = JSON.parse(genuine.certificate ?? '') as object;
    const payload = Buffer.from(JSON.stringify(statement)).toString('base64');
    const kept = `${JSON.stringify({ ...envelope, payload }, null, 2)}\n`;
    expect(await problemsOf({ ...genuine, certificate: kept })).not.toEqual([]);
    const signed = certificateText(statement, forger.privatePem);
    expect(await problemsOf({ ...genuine, certificate: signed }, { withKey: true })).not.toEqual([]);
    const { signer: _signer, ...predicate } = statement.predicate;
    const unsigned = certificateText({ ...statement, predicate } as Statement);
    expect((await problemsOf({ ...genuine, certificate: unsigned })).length > 0).toBe(!onlySigned.has(what));
  });

  const envelopes: Readonly<Record<string, (envelope: Record<string, unknown>) => unknown>> = {
    'another payload type': (envelope) => Object.assign(envelope, { payloadType: 'application/json' }),
    'no signature': (envelope) => Object.assign(envelope, { signatures: [] }),
    'the signature of another certificate': (envelope) =>
      Object.assign(envelope, {
        signatures: (JSON.parse(another.certificate ?? '') as typeof envelope)['signatures'],
      }),
    'the payload of another certificate': (envelope) =>
      Object.assign(envelope, {
        payload: (JSON.parse(another.certificate ?? '') as typeof envelope)['payload'],
      }),
    'a signature more, by a stranger': (envelope) => {
      const signed = forged(draftOf(genuine), forger.privatePem).certificate ?? '';
      const { signatures } = JSON.parse(signed) as { signatures: unknown[] };
      (envelope['signatures'] as unknown[]).push(...signatures);
    },
    'the id of another key': (envelope) => {
      const [signature] = envelope['signatures'] as Array<Record<string, string>>;
      if (signature !== undefined) signature['keyid'] = '0'.repeat(64);
    },
    'padding in the payload': (envelope) =>
      Object.assign(envelope, { payload: `${envelope['payload']}====` }),
  };

  it.each(Object.entries(envelopes))('so that it has %s is found', async (_what, change) => {
    const envelope = JSON.parse(genuine.certificate ?? '') as Record<string, unknown>;
    change(envelope);
    const certificate = `${JSON.stringify(envelope, null, 2)}\n`;
    expect(await problemsOf({ ...genuine, certificate })).not.toEqual([]);
    expect(await problemsOf({ ...genuine, certificate }, { withKey: true })).not.toEqual([]);
  });

  it('so that it is that of another run is found', async () => {
    expect(await problemsOf({ ...genuine, certificate: another.certificate })).not.toEqual([]);
  });

  it('by signing all of it with another key is found by who has the right one', async () => {
    const files = forged(draftOf(genuine), forger.privatePem);
    expect((await verified(files)).problems).toEqual([]);
    expect((await verified(files)).remarks).toEqual([expect.stringContaining('unknown key')]);
    expect(await problemsOf(files, { withKey: true })).toEqual([expect.stringContaining('is signed by')]);
  });
});

describe('time', () => {
  it('ends a certificate', async () => {
    const later = new Date(Date.now() + 91 * 86_400_000);
    expect(await problemsOf(genuine, { now: later })).toEqual([expect.stringContaining('expired at')]);
  });

  it('does not run backwards', async () => {
    const earlier = new Date(Date.now() - 86_400_000);
    expect(await problemsOf(genuine, { now: earlier })).toEqual([expect.stringContaining('in the future')]);
  });

  it.each([
    ['for ever', 10_000],
    ['for part of a day', 0.5],
    ['backwards', -1],
  ])('is not given %s', async (_what, days) => {
    const draft = draftOf(genuine);
    draft.expiresAt = later(draft.issuedAt, days * 86_400_000);
    expect(await problemsOf(forged(draft, owner.privatePem), { withKey: true })).not.toEqual([]);
  });

  it('is not given to an old run', async () => {
    const draft = draftOf(genuine);
    draft.issuedAt = later(draft.issuedAt, 3 * 3_600_000);
    draft.expiresAt = later(draft.issuedAt, 86_400_000);
    const problems = await problemsOf(forged(draft), { now: new Date(Date.parse(draft.issuedAt) + 1_000) });
    expect(problems).toEqual([expect.stringContaining('not issued at the end of the run')]);
  });
});

describe('a verifier of another kind', () => {
  it.each([['version', { harness: { name: 'commerce-conformance', version: '9.9.9' } }]])(
    'of %s says that it cannot tell',
    async (_what, verifier) => {
      const { problems, unknowns } = await verified(genuine, { verifier });
      expect(problems).toEqual([]);
      expect(unknowns).toEqual([expect.stringContaining('verify with that version')]);
    },
  );
});

describe('a certificate of another format', () => {
  const stating = (formatVersion: unknown): string => {
    const statement = statementIn(genuine.certificate ?? '');
    return certificateText({
      ...statement,
      predicate: { ...statement.predicate, formatVersion },
    } as Statement);
  };

  it.each([
    [3, 'has the format version 3, and this commerce-conformance reads 2: verify it with a newer version'],
    [undefined, 'states no version of its format'],
  ])('that states the version %s is not verified', async (version, message) => {
    const evidence = (genuine.evidence ?? '').replace(
      '"_formatVersion":2,',
      version === undefined ? '' : `"_formatVersion":${version},`,
    );
    expect(evidence).not.toBe(genuine.evidence);
    const { problems, unknowns, level } = await verified({
      ...genuine,
      evidence,
      certificate: stating(version),
    });
    expect({ problems, level }).toEqual({ problems: [] });
    expect(unknowns).toEqual([
      expect.stringContaining(`certificate.json: ${message}`),
      expect.stringContaining(`evidence.har: ${message}`),
    ]);
  });

  it('is a forgery where only the evidence states it', async () => {
    const evidence = (genuine.evidence ?? '').replace('"_formatVersion":2,', '"_formatVersion":3,');
    expect(await problemsOf({ ...genuine, evidence })).toEqual([
      expect.stringContaining('evidence.har: has the format version 3'),
      expect.stringContaining('evidence.har: is not the file that the certificate covers'),
    ]);
  });
});

describe('a single byte', () => {
  it.each(['certificate', 'report', 'evidence'] as const)('of the %s is missed', async (name) => {
    const bytes = Buffer.from(genuine[name] ?? '');
    const random = seededRandom(1, name);
    for (let round = 0; round < 12; round += 1) {
      const flipped = Buffer.from(bytes);
      const at = Math.floor(random() * bytes.length);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << Math.floor(random() * 7));
      expect(await problemsOf({ ...genuine, [name]: flipped.toString('utf8') }), `byte ${at}`).not.toEqual(
        [],
      );
    }
  });
});

describe('a hostile file', () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  const hostile: ReadonlyArray<readonly [string, string]> = [
    ['nothing', ''],
    ['half of it', '{"log":{"version":"1.2"'],
    ['null', 'null'],
    ['a number', '1e999'],
    ['a list', '[]'],
    ['an object', '{}'],
    ['a prototype', '{"__proto__":{"log":{}},"constructor":1}'],
    ['depth', deep],
    ['depth in a member', `{"schemaVersion":"1.0","log":${deep},"payload":${deep}}`],
    ['wrong types', '{"payloadType":1,"payload":{},"signatures":"x","log":[],"schemaVersion":{}}'],
    ['control characters', '\u0000\u001b[2J'],
    ['a long text', `"${'x'.repeat(5_000_000)}"`],
  ];
  it.each(hostile)('that holds %s is refused in words', async (_what, text) => {
    for (const name of ['certificate', 'report', 'evidence'] as const) {
      expect(await problemsOf({ ...genuine, [name]: text })).not.toEqual([]);
      expect(await problemsOf({ ...genuine, [name]: undefined })).not.toEqual([]);
    }
  });

  it('whose body is nested without end is evaluated without a crash', async () => {
    const draft = draftOf(genuine);
    answer(probe(draft, 401)).body.text = deep;
    expect(await problemsOf(forged(draft))).not.toEqual([]);
  });

  it('whose options are nested without end is refused', async () => {
    const report = (genuine.report ?? '').replace('"options": {', `"options": { "x": ${deep},`);
    expect(await problemsOf({ ...genuine, report })).not.toEqual([]);
  });
});

/**
 * What nobody can tell from the files alone: evidence that was made up as a whole is as consistent as any other. These
 * tests say so, that nobody believes otherwise; the signature of somebody who is trusted is what holds.
 */
describe('a forgery that is consistent throughout', () => {
  const consistent: Readonly<Record<string, (draft: Draft) => unknown>> = {
    'tells of a faster service': ({ log }) => {
      for (const exchange of log.exchanges) exchange.durationMs = Math.min(exchange.durationMs, 1);
    },
    'tells of two neighbours in the opposite order': ({ log }) => {
      log.exchanges.splice(100, 2, ...log.exchanges.slice(100, 102).reverse());
    },
    'tells of other texts in the answers': ({ log }) => {
      const one = found(log.exchanges, ({ response }) => response?.body.json === 'object');
      const { body } = answer(one);
      body.text = body.text.replace('{', '{"added":1,');
      body.bytes += '"added":1,'.length;
    },
  };
  it.each(Object.entries(consistent))('that %s is only held by the signature', async (_what, change) => {
    const draft = draftOf(genuine);
    change(draft);
    draft.report = await derivedReport(draft);
    expect(await problemsOf(forged(draft))).toEqual([]);
    expect((await verified(forged(draft))).remarks).toEqual(['unsigned: anybody could have made it']);
    expect(await problemsOf(forged(draft, forger.privatePem), { withKey: true })).not.toEqual([]);
  });
});
