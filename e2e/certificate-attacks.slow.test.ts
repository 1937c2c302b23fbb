import { createPublicKey, verify } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseChallenge } from '../harness/certification/challenge.ts';
import type { LevelOfTrust } from '../harness/certification/claims.ts';
import {
  addSignature,
  canonicalJson,
  challengeType,
  type Envelope,
  enclose,
  serialiseEnvelope,
} from '../harness/certification/envelope.ts';
import { signSpotCheck } from '../harness/certification/spot-check.ts';
import { harnessIdentity } from '../harness/identity.ts';
import {
  type CertifiedTexts,
  draftOf,
  evidenceText,
  forged,
  forger,
  verified,
} from './certified-run-for-tests.ts';
import {
  another,
  challengeText,
  changed,
  countersigned,
  day,
  envelopeOf,
  genuine,
  levelOf,
  otherChallenge,
  passed,
  programmeKey,
  service,
  shift,
  startProgramme,
  stated,
  stopProgramme,
  strangerKey,
  vendor,
  vendorKey,
  withChallenge,
} from './programme-for-tests.ts';

beforeAll(startProgramme);

afterAll(stopProgramme);

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

/** Adds decisions to the first of some attempts. */
function decide(
  [attempt]: ReadonlyArray<{ decisions?: Record<string, boolean | number> }>,
  decisions: Record<string, boolean | number>,
): void {
  if (attempt === undefined) throw new Error('there is no such attempt');
  attempt.decisions = { ...attempt.decisions, ...decisions };
}

const acme = { vendor: 'Umbrella', product: 'Shop' };

/** Attacks with files that the vendor makes, with the words of the claim that refuses each. */
const refused: Readonly<Record<string, readonly [() => CertifiedTexts | Promise<CertifiedTexts>, RegExp]>> = {
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
        const text = evidenceText(log)
          .replaceAll(log.run.id, run.id)
          .replaceAll(log.run.id.slice(0, 28), run.id.slice(0, 28));
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
  'a session that no call has ended': [
    () => changed(({ log }) => decide(log.attempts, { 'ended a-session': true })),
    /no call ended it/,
  ],
  'random inputs for which there was room': [
    () => changed(({ log }) => decide(log.attempts, { 'inputs body': 1 })),
    /the limit of requests had room for all/,
  ],
  'a decision that no attempt takes': [
    () => changed(({ log }) => decide(log.attempts, { 'opened ': true })),
    /the plan requires no such decision/,
  ],
  'a refusal that is called too early': [
    () =>
      changed(({ log }) => {
        const refusal = log.exchanges.find(
          ({ role, response }) => role === 'probe' && response?.status === 404,
        );
        const attempts = log.attempts.filter(
          ({ case: { check, operation } }) =>
            check === refusal?.case.check && operation === refusal.case.operation,
        );
        decide(attempts, { [`early ${refusal?.id}`]: true });
      }),
    /the evidence lacks a planned request/,
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
  Record<string, readonly [() => CertifiedTexts | Promise<CertifiedTexts>, LevelOfTrust]>
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
