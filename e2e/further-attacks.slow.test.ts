import { sign } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addSignature,
  canonicalJson,
  type Envelope,
  serialiseEnvelope,
} from '../harness/certification/envelope.ts';
import { keyIdOf } from '../harness/certification/signing-key.ts';
import { signSpotCheck } from '../harness/certification/spot-check.ts';
import {
  type CertifiedTexts,
  type Draft,
  derivedReport,
  draftOf,
  forged,
  forger,
  shortRun,
  statementIn,
  verified,
} from './certified-run-for-tests.ts';
import {
  another,
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

/** A check of the level should, whose result no verdict needs. */
const untestedCheck = 'client/unsupported-format-is-answered';

type Attack = () => CertifiedTexts | Promise<CertifiedTexts>;

/** The genuine payload after a change of its text, signed by the vendor. */
function textually(change: (payload: string) => string): CertifiedTexts {
  const envelope = envelopeOf(genuine);
  const payload = change(Buffer.from(envelope.payload, 'base64').toString());
  const bytes = Buffer.from(payload);
  const message = Buffer.concat([
    Buffer.from(`DSSEv1 ${envelope.payloadType.length} ${envelope.payloadType} ${bytes.length} `),
    bytes,
  ]);
  const sig = sign(null, message, vendorKey).toString('base64');
  const signatures = [{ keyid: keyIdOf(vendorKey), sig }];
  return {
    ...genuine,
    certificate: serialiseEnvelope({ ...envelope, payload: bytes.toString('base64'), signatures }),
  };
}

const withSignatures = (
  change: (signatures: Envelope['signatures']) => Envelope['signatures'],
): CertifiedTexts => {
  const envelope = envelopeOf(countersigned());
  return {
    ...genuine,
    certificate: serialiseEnvelope({ ...envelope, signatures: change(envelope.signatures) }),
  };
};

const elsewhere = (baseUrl: string): CertifiedTexts => {
  const evidence = (genuine.evidence ?? '').replaceAll(service.baseUrl, baseUrl);
  return { ...genuine, evidence };
};

/** Drops the attempts of one case, and says in the report that it was not tested. */
async function omitted(check: string): Promise<CertifiedTexts> {
  const draft: Draft = draftOf(genuine);
  const { log } = draft;
  const places = new Map<number, number>();
  let kept = 0;
  log.exchanges = log.exchanges.filter((one, at) => {
    const isKept = one.case.check !== check;
    if (isKept) kept += 1;
    places.set(at + 1, kept);
    return isKept;
  });
  log.attempts = log.attempts
    .filter((one) => one.case.check !== check)
    .map((one) => ({ ...one, after: places.get(one.after) ?? 0 }));
  const gone = draft.report.results.filter((one) => one.check === check);
  const left = gone.map((one) => ({
    ...one,
    outcome: 'inconclusive' as const,
    message: 'no time',
    exchanges: [],
  }));
  draft.report = await derivedReport(draft, undefined, left);
  return forged(draft, vendor.privatePem);
}

/** A name and an attack; `refused` says which claim must refuse it. */
const attacks: Readonly<Record<string, readonly [Attack, RegExp]>> = {
  'a member that stands twice in the statement': [
    () => textually((text) => text.replace('"url":', '"url":"https://api.acme.example","url":')),
    /is not as the harness writes it|differs/,
  ],
  'a member that stands twice in the envelope': [
    () => ({
      ...genuine,
      certificate: (genuine.certificate ?? '').replace('"payload":', '"payload": "e30=",\n  "payload":'),
    }),
    /is not as the harness writes it/,
  ],
  'a member that stands twice in the report': [
    () => {
      const draft = draftOf(genuine);
      const files = forged(draft, vendor.privatePem);
      return {
        ...files,
        report: (files.report ?? '').replace('"verdict":', '"verdict": "x",\n  "verdict":'),
      };
    },
    /report\.json: is not/,
  ],
  'a prototype in the statement': [
    () => textually((text) => text.replace('{', '{"__proto__":{"result":"PASSED"},')),
    /certificate\.json/,
  ],
  'a second signature of the vendor that is wrong': [
    () =>
      withSignatures(
        ([first, ...others]) => [first, { ...first, sig: 'AAAA' }, ...others] as Envelope['signatures'],
      ),
    /must match pattern/,
  ],
  'the same signature twice': [
    () => withSignatures(([first, ...others]) => [first, first, ...others] as Envelope['signatures']),
    /twice/,
  ],
  "the owner's signature under the vendor's name": [
    () => withSignatures(([first, second]) => [{ ...first, sig: second?.sig }] as Envelope['signatures']),
    /signature/,
  ],
  'the key id of the owner with the signature of a stranger': [
    () => {
      const [, theirs] = addSignature(envelopeOf(genuine), strangerKey).signatures;
      return withSignatures(
        ([first, second]) => [first, { ...second, sig: theirs?.sig }] as Envelope['signatures'],
      );
    },
    /owner's signature is wrong/,
  ],
  'a challenge whose vendor key is the key of its owner': [
    () => withChallenge(otherChallenge({ vendorKey: keyIdOf(programmeKey) })),
    /challenge: .*key/,
  ],
  'a spot check that was made before the run': [
    () => countersigned({ ...passed(), startedAt: '2026-01-01T00:00:00.000Z' }),
    /spot check: it was made before/,
  ],
  'a spot check that repeated nothing': [
    () => countersigned({ ...passed(), repeated: 0 }),
    /spot check: it repeated no/,
  ],
  'a spot check that left out operations': [
    () => countersigned({ ...passed(), operations: 1 }),
    /spot check: it reached 1 of \d+ operations/,
  ],
  'a spot check inside another': [
    () => {
      const envelope = envelopeOf(genuine);
      const inner = signSpotCheck(envelope, passed(), programmeKey);
      const nested = { ...inner, spotCheck: inner };
      return {
        ...genuine,
        certificate: serialiseEnvelope({ ...addSignature(envelope, programmeKey), spotCheck: nested }),
      };
    },
    /certificate\.json|spot check/,
  ],
  'responses that are said to be cut, and requests that were replaced': [
    () =>
      changed(({ log }) => {
        for (const { case: sender, request, response } of log.exchanges) {
          if (sender.check !== 'auth/invalid-key-is-refused' || response === undefined) continue;
          response.body.truncated = true;
          request.headers.push(['x-test-mode', '1']);
        }
      }),
    /is said to be cut, and is short enough/,
  ],
  'responses of a cache that are older than the run': [
    () =>
      changed((draft) => {
        shift(draft, -day);
        for (const { response } of draft.log.exchanges) response?.headers.push(['age', '0']);
      }),
    /Date headers of \d+ of \d+ responses/,
  ],
  'an old run that is said to have gone on until today': [
    () =>
      changed((draft) => {
        const span = 80 * day;
        const later = (time: string): string => new Date(Date.parse(time) + span).toISOString();
        draft.report.run.durationMs += span;
        draft.issuedAt = later(draft.issuedAt);
        draft.expiresAt = later(draft.expiresAt);
      }),
    /is said to go on long after its last exchange/,
  ],
  'exclusions that the evidence hides': [
    async () => {
      const exclude = [{ class: 'very-long', reason: 'the gateway cuts long paths' }];
      const excluding = await shortRun({
        ...service,
        target: { ...service.target, exclude } as typeof service.target,
      });
      const draft = draftOf(excluding);
      expect(draft.log.run.target.exclusions).toHaveLength(1);
      draft.log.run.target.exclusions = [];
      for (const attempt of draft.log.attempts) attempt.leftOut = [];
      return forged({ ...draft, report: await derivedReport(draft) }, vendor.privatePem);
    },
    /the evidence lacks a planned request|and the plan requires/,
  ],
  'a quick run that claims to be a standard one': [
    async () => {
      const draft = draftOf(
        await shortRun({ ...service, target: { ...service.target } }, undefined, 'quick'),
      );
      draft.log.run.options.profile = 'standard';
      return forged({ ...draft, report: await derivedReport(draft) }, vendor.privatePem);
    },
    /the evidence lacks a planned request|no attempt at/,
  ],
  'a base URL with a user name that looks like a host': [
    () => elsewhere('https://api.acme.example@127.0.0.1'),
    /evidence\.har: entry 1 was not sent to|as the harness writes it/,
  ],
  'a loopback address in another notation': [
    () => elsewhere('http://2130706433'),
    /evidence\.har: entry 1 was not sent to|as the harness writes it/,
  ],
  'a loopback address in short notation': [
    () => elsewhere('http://127.1'),
    /evidence\.har: entry 1 was not sent to|as the harness writes it/,
  ],
  'a base URL in capitals': [
    () => elsewhere('HTTPS://API.ACME.EXAMPLE'),
    /evidence\.har: entry 1 was not sent to|as the harness writes it/,
  ],
  'a base URL in letters of another script': [
    () => elsewhere('https://api.\u0430cme.example'),
    /must match format "uri"/,
  ],
  'a base URL whose host ends in a dot': [
    () => elsewhere('https://api.acme.example.'),
    /base URL|server certificate/,
  ],
  'a lenient document under the digest of a strict one': [
    () =>
      changed(({ log }) => {
        const content = { openapi: '3.1.0', info: { title: 'a', version: '1' }, paths: {} };
        const parts = { source: 'a.yaml', version: '3.1.0', defects: [], deviations: [] };
        Object.assign(log.run, { document: { ...parts, digest: `sha256:${'0'.repeat(64)}`, content } });
      }),
    /document/,
  ],
  'a case that was left out': [() => omitted(untestedCheck), /no attempt at .* is recorded/],
  'a case that was given up without a reason': [
    () =>
      changed(({ log }) => {
        const attempt = log.attempts.find(({ case: { check } }) => check === untestedCheck);
        if (attempt === undefined) throw new Error('there is no such attempt');
        attempt.gaveUp = { reason: 'the remaining request budget has no room for it', transient: false };
      }),
    /recorded as given up, and all of its requests were answered/,
  ],
  'a run that ends before it begins': [
    () =>
      changed(({ report }) => {
        report.run.durationMs = -1;
      }),
    /report\.json|not sent while/,
  ],
  'a run at no time': [
    () =>
      changed(({ report }) => {
        report.run.startedAt = '2026-13-41T00:00:00.000Z';
      }),
    /.+/,
  ],
  'a certificate of the same run that is issued anew much later': [
    () => {
      const draft = draftOf(genuine);
      draft.issuedAt = new Date(Date.now() + 80 * 86_400_000).toISOString();
      draft.expiresAt = new Date(Date.now() + 170 * 86_400_000).toISOString();
      return forged(draft, vendor.privatePem);
    },
    /was not issued at the end of the run/,
  ],
  'a certificate for a hundred years': [
    () => {
      const draft = draftOf(genuine);
      draft.expiresAt = new Date(Date.parse(draft.issuedAt) + 36_500 * 86_400_000).toISOString();
      return forged(draft, vendor.privatePem);
    },
    /not 1 to 366 days/,
  ],
  'the responses of two runs mixed': [
    () =>
      changed((draft) => {
        const other = draftOf(another).log;
        for (const [at, one] of draft.log.exchanges.entries()) {
          const same = other.exchanges.find(({ id }) => id === one.id);
          if (at % 2 === 0 && same !== undefined) draft.log.exchanges[at] = same;
        }
      }),
    /request id|requires/,
  ],
  'exchanges in the opposite order': [
    () =>
      changed((draft) => {
        const { log, report } = draft;
        const span = 60_000;
        const later = (time: string, ms: number): string => new Date(Date.parse(time) + ms).toISOString();
        for (const [at, one] of log.exchanges.entries())
          one.startedAt = later(one.startedAt, (span * at) / log.exchanges.length);
        report.run.durationMs += span;
        draft.issuedAt = later(draft.issuedAt, span);
        draft.expiresAt = later(draft.expiresAt, span);
        log.exchanges.reverse();
      }),
    /it ended long before others that stand before it/,
  ],
  'a request through another client': [
    () =>
      changed(({ log }) => {
        for (const { request } of log.exchanges)
          request.headers = request.headers.map(([name, value]) => [name, name === 'accept' ? '*/*' : value]);
      }),
    /the headers is|the headers are|requires/,
  ],
  'an additional header that switches the service to a test mode': [
    () =>
      changed(({ log }) => {
        for (const { request } of log.exchanges) request.headers.push(['x-test-mode', '1']);
      }),
    /requires/,
  ],
  'an additional query parameter in every request': [
    () =>
      changed(({ log }) => {
        for (const { request } of log.exchanges)
          request.path += request.path.includes('?') ? '&certify=1' : '?certify=1';
      }),
    /requires/,
  ],
  'a signer whose key has another id': [
    () =>
      stated(({ predicate }) => {
        predicate.signer = { keyid: keyIdOf(strangerKey), publicKey: predicate.signer?.publicKey ?? '' };
      }),
    /names a signer whose key has another id/,
  ],
  'a payload in another alphabet of base64': [
    () => {
      const envelope = envelopeOf(genuine);
      return {
        ...genuine,
        certificate: serialiseEnvelope({ ...envelope, payload: `${envelope.payload}\n` }),
      };
    },
    /certificate\.json/,
  ],
  'a report of another certificate': [() => ({ ...genuine, report: another.report }), /is not the file that/],
  'the challenge of this programme, answered with the key of a stranger': [
    () => changed(() => undefined, forger.privatePem),
    /requires the vendor key|is signed by/,
  ],
};

describe('refused', () => {
  it.each(Object.entries(attacks))('%s', async (_what, [attack, claim]) => {
    const { level, problems } = await levelOf(await attack());
    expect({ level, problems }).toEqual({ level: undefined, problems: expect.stringMatching(claim) });
  });
});

it('says that nothing but the signature vouches for the requests of a merged run', async () => {
  const draft = draftOf(genuine);
  delete draft.challenge;
  delete draft.log.run.derivation;
  draft.log.run.shards = [draft.log.run.id];
  draft.log.exchanges[0]?.request.headers.push(['x-test-mode', '1']);
  const report = await derivedReport(draft);
  const { level, problems, recomputed, remarks } = await verified(
    forged({ ...draft, report }, vendor.privatePem),
    { withKey: true },
  );
  expect({ level, problems, recomputed }).toEqual({ level: 'signed', problems: [], recomputed: undefined });
  expect(remarks).toContainEqual(expect.stringContaining('merged from shards'));
});

describe('a genuine statement', () => {
  it('is what its canonical JSON says', () => {
    const text = Buffer.from(envelopeOf(genuine).payload, 'base64').toString();
    expect(canonicalJson(statementIn(genuine.certificate ?? ''))).toBe(text);
  });
});
