import { createPublicKey, sign, verify } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Challenge, parseChallenge } from '../harness/certification/challenge.ts';
import type { LevelOfTrust } from '../harness/certification/claims.ts';
import {
  addSignature,
  type CertificateEnvelope,
  canonicalJson,
  challengeType,
  type Envelope,
  enclose,
  serialiseEnvelope,
} from '../harness/certification/envelope.ts';
import { keyIdOf } from '../harness/certification/signing-key.ts';
import { type SpotCheckResult, signSpotCheck } from '../harness/certification/spot-check.ts';
import type { Statement } from '../harness/certification/statement.ts';
import { type Outside, reasonOf } from '../harness/evidence/outside.ts';
import { harnessIdentity } from '../harness/identity.ts';
import { requestIdForm, requestIdOf, traceParentOf } from '../harness/requests/request-builder.ts';
import {
  type CertifiedTexts,
  type Draft,
  derivedReport,
  draftOf,
  evidenceText,
  forged,
  forger,
  found,
  later,
  type Mutable,
  shortRun,
  statementIn,
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

/** Names of attacks, each with what it does and the words of the claim that refuses it. */
type Attacks<Attack> = Readonly<Record<string, readonly [Attack, RegExp]>>;

/** Has each attack of a table refused. */
function refuses<Attack>(
  attacks: Attacks<Attack>,
  filesOf: (attack: Attack) => CertifiedTexts | Promise<CertifiedTexts>,
): void {
  it.each(Object.entries(attacks))('%s', async (_what, [attack, claim]) => {
    const { level, problems } = await levelOf(await filesOf(attack));
    expect({ level, problems }).toEqual({ level: undefined, problems: expect.stringMatching(claim) });
  });
}

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
    expect(canonicalJson(statementIn(genuine.certificate ?? ''))).toBe(bytes.toString());
    const message = Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${bytes.length} ${bytes}`);
    const keys = [createPublicKey(vendor.publicPem), createPublicKey(programmeKey)];
    expect(
      signatures.map(({ sig }, at) => verify(null, message, keys[at] ?? '', Buffer.from(sig, 'base64'))),
    ).toEqual([true, true]);
  });
});

/** A check of the level should, whose result no verdict needs. */
const untestedCheck = 'client/unsupported-format-is-answered';

/** Has the draft tell of a service elsewhere. */
function move(draft: Draft, baseUrl: string): void {
  const evidence = evidenceText(draft.log).replaceAll(service.baseUrl, baseUrl);
  draft.log = draftOf({ ...genuine, evidence }).log;
}

/** Adds decisions to the first of some attempts. */
function decide(
  attempts: ReadonlyArray<{ decisions?: Record<string, boolean | number> }>,
  decisions: Record<string, boolean | number>,
): void {
  const attempt = found(attempts, () => true);
  attempt.decisions = { ...attempt.decisions, ...decisions };
}

/** An attempt that sent invalid keys, the beginning of the ids of its exchanges, and these. */
function invalidKeys({ log }: Draft) {
  const attempt = found(log.attempts, ({ case: { check } }) => check === 'auth/invalid-key-is-refused');
  const prefix = `${attempt.case.operation}/${attempt.case.check}/1.`;
  return { attempt, prefix, own: log.exchanges.filter(({ id }) => id.startsWith(prefix)) };
}

/** A valid call that was answered. */
function valid({ log }: Draft): Draft['log']['exchanges'][number] {
  return found(
    log.exchanges,
    ({ role, case: { operation }, ...one }) => role === 'control' && operation === one.operation,
  );
}

/** Adds a copy of an exchange at the end of the run, as if another sender had sent it. */
function appendAs(
  { log }: Draft,
  exchange: Draft['log']['exchanges'][number],
  { check, attempt }: { readonly check: string; readonly attempt: number },
  changes: object = {},
): void {
  const { operation } = exchange.case;
  const prefix = `${operation}/${check}/${attempt}.`;
  const id = `${prefix}${log.exchanges.filter((one) => one.id.startsWith(prefix)).length + 1}`;
  const { startedAt, durationMs } = found([...log.exchanges].reverse(), () => true);
  const { request, ...copy } = structuredClone(exchange);
  const isOwn = (value: string): boolean => requestIdForm.test(value);
  const ownId = requestIdOf(log.run.id, id);
  const headers = request.headers.map(([name, value]) => [name, isOwn(value) ? ownId : value] as const);
  const added = { ...copy, id, attempt, case: { operation, check }, startedAt, durationMs, ...changes };
  log.exchanges.push({ ...added, request: { ...request, headers: [...headers] } } as typeof exchange);
}

/** Puts a response before that to the first call of an attempt, as if the call had been repeated for it. */
function repeatFor(
  { log: { run, exchanges, attempts } }: Draft,
  { operation, check }: { readonly operation: string; readonly check: string },
  response: NonNullable<Draft['log']['exchanges'][number]['response']>,
): void {
  const attempt = found(attempts, (one) => one.case.operation === operation && one.case.check === check);
  const prefix = `${operation}/${check}/1.`;
  const next = (id: string): string =>
    id.startsWith(prefix) ? `${prefix}${Number(id.slice(prefix.length)) + 1}` : id;
  const at = exchanges.findIndex(({ id }) => id === `${prefix}1`);
  const refused = structuredClone(found(exchanges, ({ id }) => id === `${prefix}1`));
  for (const one of exchanges.filter(({ id }) => id.startsWith(prefix))) {
    one.id = next(one.id);
    const id = requestIdOf(run.id, one.id);
    one.request.headers = one.request.headers.map(([name, value]) => [
      name,
      requestIdForm.test(value) ? id : name === 'traceparent' ? traceParentOf(id) : value,
    ]);
  }
  exchanges.splice(at, 0, { ...refused, response });
  for (const one of attempts) {
    if (one.after > at) one.after += 1;
    for (const shared of one.shared ?? []) shared.id = next(shared.id);
  }
  attempt.judged = attempt.judged.replace(/\d+/g, (number) => String(Number(number) + 1));
  attempt.decisions = { ...attempt.decisions, [`early ${prefix}1`]: true };
}

/** Has an attempt at a check of the level should end after its first exchange. */
function giveUp({ log }: Draft, reason: string, outside?: Outside): void {
  const attempt = found(log.attempts, ({ case: { check } }) => check === untestedCheck);
  const prefix = `${attempt.case.operation}/${untestedCheck}/`;
  const gone = (id: string): boolean => id.startsWith(prefix) && id !== `${prefix}1.1`;
  for (const one of log.attempts)
    one.after -= log.exchanges.slice(0, one.after).filter(({ id }) => gone(id)).length;
  log.exchanges = log.exchanges.filter(({ id }) => !gone(id));
  Object.assign(attempt, { judged: '1', gaveUp: { reason, transient: false, ...(outside && { outside }) } });
}

/** The check whose only two calls at an operation no follow-up depends on. */
const pathAlone = 'resource/path-alone-names-the-resource';

/** Puts the page of a firewall in place of so many answers of a case. */
function block({ log }: Draft, count: number): void {
  const isOfCase = (one: Draft['log']['exchanges'][number]): boolean =>
    one.case.check === pathAlone && one.case.operation === 'getPublicProduct' && one.role === 'probe';
  const text = '<!doctype html><title>403 Forbidden</title><h1>Forbidden</h1>';
  for (const one of log.exchanges.filter(isOfCase).slice(0, count)) {
    const body = { ...one.response?.body, text, bytes: text.length, encoding: 'utf-8', json: 'malformed' };
    Object.assign(one, { response: { status: 403, headers: [['content-type', 'text/html']], body } });
  }
}

/** Has a run that began as it did end later. */
function prolong(draft: Draft, ms: number): void {
  draft.report.run.durationMs += ms;
  draft.issuedAt = later(draft.issuedAt, ms);
  draft.expiresAt = later(draft.expiresAt, ms);
}

const acme = 'https://api.acme.example';

/** Has the run take another value of an option, and say so. */
function give({ log, report }: Draft, options: Readonly<Record<string, number>>): void {
  Object.assign(log.run.options, options);
  Object.assign(report.run.options, options);
}

/** Runs that the vendor changes before report and certificate are made to fit. */
const runs: Attacks<(draft: Draft) => unknown> = {
  'a body of another size': [
    (draft) => Object.assign(valid(draft).response?.body ?? {}, { bytes: 1 }),
    /the body of the response differs from what the harness records of it/,
  ],
  'a long body that is said to be whole': [
    (draft) => {
      const body = valid(draft).response?.body;
      Object.assign(body ?? {}, { text: body?.text + ' '.repeat(200_000), bytes: 200_000 });
    },
    /the body of the response differs/,
  ],
  'every exchange at the same time': [
    ({ log: { exchanges } }) => {
      for (const one of exchanges)
        Object.assign(one, { startedAt: exchanges[0]?.startedAt, durationMs: 900 });
    },
    /ms of exchanges, 8 at once, do not fit into the run/,
  ],
  'responses in no time': [
    ({ log }) => {
      for (const one of log.exchanges) one.durationMs = 0;
    },
    /it was answered in no time/,
  ],
  'a slower pace than that of the exchanges': [
    (draft) => give(draft, { rate: 4 }),
    /exchanges, 4 in a second, do not fit into the run/,
  ],
  'fewer requests than a service may take': [
    (draft) => give(draft, { maxRequests: 10 }),
    /10 requests may be too few/,
  ],
  'another key in one of its calls': [
    (draft) => {
      const { credential } = found(
        draft.log.exchanges,
        ({ request }) => request.credential.kind === 'scoped',
      ).request;
      Object.assign(credential, { fingerprint: '0'.repeat(12) });
    },
    /it has another scoped key/,
  ],
  'another protocol': [
    (draft) => Object.assign(valid(draft).request, { protocol: 'HTTP/2' }),
    /it went over HTTP\/2, and the report says otherwise/,
  ],
  'attempts in the opposite order': [
    ({ log }) => log.attempts.reverse(),
    /was evaluated before the one that precedes it/,
  ],
  'attempts that were evaluated before they ended': [
    ({ log }) => {
      for (const attempt of log.attempts) attempt.after = 0;
    },
    /was evaluated before it ended/,
  ],
  'a list of exchanges in other words': [
    (draft) => {
      const { attempt, own } = invalidKeys(draft);
      attempt.judged = `1,2-${own.length}`;
    },
    /its list of exchanges differs from what the harness writes/,
  ],
  'a header of the target file that was not sent': [
    ({ log }) => log.run.target.headers.push('x-tenant'),
    /the headers are/,
  ],
  'answers of another run': [
    (draft) => Object.assign(draft, { log: draftOf(another).log }),
    /seed of the run does not derive/,
  ],
  'answers of another run under the seed and run id of this one': [
    (draft) => {
      const { log } = draftOf(another);
      log.run = { ...log.run, id: draft.log.run.id, options: draft.log.run.options };
      draft.log = log;
    },
    /and the plan requires/,
  ],
  'answers of another run whose request ids, seed and run id are rewritten': [
    (draft) => {
      const { run } = draft.log;
      const { log } = draftOf(another);
      const text = evidenceText(log)
        .replaceAll(log.run.id, run.id)
        .replaceAll(log.run.id.slice(0, 28), run.id.slice(0, 28));
      draft.log = draftOf({ ...genuine, evidence: text }).log;
      draft.log.run.options.seed = run.options.seed;
    },
    /and the plan requires/,
  ],
  'the responses of two runs mixed': [
    ({ log }) => {
      const other = draftOf(another).log;
      for (const [at, one] of log.exchanges.entries()) {
        const same = other.exchanges.find(({ id }) => id === one.id);
        if (at % 2 === 0 && same !== undefined) log.exchanges[at] = same;
      }
    },
    /request id|requires/,
  ],
  'a request that was replaced by a harmless one': [
    ({ log }) => {
      const step = found(log.exchanges, (one) => one.step === 'random');
      const other = found(log.exchanges, (one) => one.id !== step.id && one.step === 'random');
      const id = found(step.request.headers, ([name]) => name === 'x-request-id');
      step.request = structuredClone(other.request);
      step.request.headers = step.request.headers.map((one) => (one[0] === 'x-request-id' ? id : one));
    },
    /and the plan requires/,
  ],
  'cases that sent less than planned': [
    (draft) => {
      const { attempt, own } = invalidKeys(draft);
      const { log } = draft;
      log.exchanges = log.exchanges.filter(({ id }) => id !== own.at(-1)?.id);
      for (const one of log.attempts) one.after = Math.min(one.after, log.exchanges.length);
      attempt.judged = `1-${own.length - 1}`;
    },
    /the evidence lacks a planned request/,
  ],
  'a request that no plan requires': [
    (draft) => {
      const { attempt, prefix, own } = invalidKeys(draft);
      const { exchanges } = draft.log;
      const last = found(own, (one) => one === own.at(-1));
      const text = JSON.stringify(last).replaceAll(`${last.id}"`, `${prefix}${own.length + 1}"`);
      exchanges.splice(exchanges.indexOf(last) + 1, 0, JSON.parse(text));
      attempt.judged = `1-${own.length + 1}`;
    },
    /the plan requires no such request/,
  ],
  'a session that no call has ended': [
    ({ log }) => decide(log.attempts, { 'ended a-session': true }),
    /no call ended it/,
  ],
  'a decision that no attempt takes': [
    ({ log }) => decide(log.attempts, { 'opened ': true }),
    /the plan requires no such decision/,
  ],
  'room for follow-ups that no attempt asked for': [
    ({ log }) => decide(log.attempts, { 'room ': false }),
    /the plan requires no such decision/,
  ],
  'an attempt that confirms what nobody saw': [
    (draft) => {
      const { attempt, own } = invalidKeys(draft);
      const { log } = draft;
      for (const one of own) appendAs(draft, one, { check: one.case.check, attempt: 91 });
      log.attempts.push({ ...attempt, attempt: 91, after: log.exchanges.length });
    },
    /91: the attempt was not required/,
  ],
  'a call among those that clean up': [
    (draft) =>
      appendAs(draft, valid(draft), { check: 'cleanup', attempt: 1 }, { role: 'setup', step: undefined }),
    /cleanup\/1\.1: the plan requires no such request/,
  ],
  'a burst that nobody asked for': [
    (draft) =>
      appendAs(
        draft,
        valid(draft),
        { check: 'provocation', attempt: 1 },
        { role: 'provocation', step: undefined },
      ),
    /provocation\/1\.1: the plan requires no such request/,
  ],
  'known values that are called generated': [
    (draft) => {
      for (const { role, request } of draft.log.exchanges)
        for (const used of Object.values(request.values))
          if (role === 'control') Object.assign(used, { source: 'generated' });
    },
    /the list of values is/,
  ],
  'values beside those that were sent': [
    ({ log }) => {
      for (const { request } of log.exchanges)
        Object.assign(request.values, { fake: { value: 'x', source: 'generated' } });
    },
    /the list of values is/,
  ],
  'near misses of the key that were left out': [
    ({ log }) => Object.assign(log.run.derivation ?? {}, { invalid: ['empty key'] }),
    /the run left out credentials that every key has: unknown key, /,
  ],
  'exclusions that took effect and do not exist': [
    ({ log }) => {
      for (const attempt of log.attempts) attempt.leftOut = [{ class: 'empty', reason: 'nothing' }];
    },
    /the values that it left out are not those of the plan/,
  ],
  'short bodies that are said to be the beginning of long ones': [
    (draft) => {
      for (const { response, request } of invalidKeys(draft).own) {
        Object.assign(response?.body ?? {}, { truncated: true, bytes: 1e9 });
        request.headers.push(['x-test-mode', '1']);
      }
    },
    /the headers are .*, and the plan requires/,
  ],
  'a hidden user agent': [
    ({ log }) => {
      Object.assign(log.run.options, { userAgent: 'test-mode/1' });
      for (const { request } of log.exchanges)
        request.headers = request.headers.map(([name, value]) => [
          name,
          value.startsWith('commerce-conformance/') ? 'test-mode/1' : value,
        ]);
    },
    /the option userAgent differs from the evidence/,
  ],
  'flags of curl that run another command': [
    ({ log }) => log.run.options.curlFlags.push('; reboot #'),
    /the option curlFlags differs/,
  ],
  'another server certificate that is over': [
    (draft) => {
      move(draft, acme);
      const validUntil = '2020-01-01T00:00:00.000Z';
      const one = { sha256: '0'.repeat(64), names: 'DNS:api.acme.example', issuer: 'A', validUntil };
      const peers = { addresses: ['192.0.2.1:443'], certificates: [one] };
      Object.assign(draft.report.target, { peers });
    },
    /the server certificate 0+ had expired before the run/,
  ],
  'a refusal that is called too early': [
    ({ log }) => {
      const check = 'resource/unknown-resource-is-not-found';
      const refusal = found(log.exchanges, (one) => one.case.check === check && one.step === 'unknown');
      decide(
        log.attempts.filter((one) => one.case.check === check),
        { [`early ${refusal.id}`]: true },
      );
    },
    /the plan requires no such decision \(early /,
  ],
  'a product that is not found at times, as if it had been created just before': [
    (draft) => {
      const isMissing = (one: Draft['log']['exchanges'][number]): boolean =>
        one.operation === 'getPublicProduct' && one.response?.status === 404;
      const { response } = structuredClone(found(draft.log.exchanges, isMissing));
      const check = 'auth/public-read-needs-no-credentials';
      if (response) repeatFor(draft, { operation: 'getPublicProduct', check }, response);
    },
    /lacks a planned request|the plan requires no such/,
  ],
  'a case that was given up for a reason of its own': [
    (draft) => giveUp(draft, 'it was time for lunch'),
    /given up for a reason that its run does not bear out: it was time for lunch/,
  ],
  'a case that was given up for the want of requests that there were': [
    (draft) => giveUp(draft, reasonOf({ kind: 'budget' }), { kind: 'budget' }),
    /given up for a reason that its run does not bear out/,
  ],
  'a case that was given up for a reason that is said in other words': [
    (draft) => giveUp(draft, 'it was time for lunch', { kind: 'budget' }),
    /given up for a reason that its run does not bear out: it was time for lunch/,
  ],
  'a case that was given up without a reason': [
    ({ log }) => {
      const attempt = found(log.attempts, ({ case: { check } }) => check === untestedCheck);
      attempt.gaveUp = {
        reason: reasonOf({ kind: 'budget' }),
        transient: false,
        outside: { kind: 'budget' },
      };
    },
    /recorded as given up, and all of its requests were answered/,
  ],
  'another salt of unique values': [
    ({ log }) => Reflect.deleteProperty(log.run, 'derivation'),
    /does not say what its requests derive from/,
  ],
  'responses that are said to be cut, and requests that were replaced': [
    ({ log }) => {
      for (const { case: sender, request, response } of log.exchanges) {
        if (sender.check !== 'auth/invalid-key-is-refused' || response === undefined) continue;
        response.body.truncated = true;
        request.headers.push(['x-test-mode', '1']);
      }
    },
    /differs from what the harness records of it/,
  ],
  'a request through another client': [
    ({ log }) => {
      for (const { request } of log.exchanges)
        request.headers = request.headers.map(([name, value]) => [name, name === 'accept' ? '*/*' : value]);
    },
    /the headers is|the headers are|requires/,
  ],
  'pages of a firewall in place of every answer that a case needs': [
    (draft) => block(draft, 2),
    /^report\.json: the verdict is incomplete\nreport\.json: 1 must case was not tested\n/,
  ],
  'an additional header that switches the service to a test mode': [
    ({ log }) => {
      for (const { request } of log.exchanges) request.headers.push(['x-test-mode', '1']);
    },
    /requires/,
  ],
  'an additional query parameter in every request': [
    ({ log }) => {
      for (const { request } of log.exchanges)
        request.path += request.path.includes('?') ? '&certify=1' : '?certify=1';
    },
    /requires/,
  ],
  'another base URL': [
    (draft) => {
      move(draft, acme);
      draft.report.target.baseUrl = acme;
    },
    /challenge: it is for http:\/\/127.* and the run tested https:\/\/api\.acme\.example/,
  ],
  'a Unix socket with a foreign host': [
    (draft) => {
      move(draft, acme);
      draft.report.run.options['unixSocket'] = '/tmp/service.sock';
    },
    /--unix-socket connects to this machine, and the base URL names another host/,
  ],
  'a public name for a service on this machine': [
    (draft) => move(draft, 'http://api.acme.example'),
    /the base URL names api\.acme\.example, and a connection reached 127\.0\.0\.1/,
  ],
  'no server certificate for an https: base URL': [
    (draft) => {
      move(draft, acme);
      Object.assign(draft.report.target, { peers: { addresses: ['192.0.2.1:443'], certificates: [] } });
    },
    /no server certificate is recorded/,
  ],
  'the server certificate of another host': [
    (draft) => {
      move(draft, acme);
      const validUntil = '2030-01-01T00:00:00.000Z';
      const one = { sha256: '0'.repeat(64), names: 'DNS:*.good.example', issuer: 'A', validUntil };
      const peers = { addresses: ['192.0.2.1:443'], certificates: [one] };
      Object.assign(draft.report.target, { peers });
    },
    /the server certificate 0+ is not for api\.acme\.example/,
  ],
  'an address at another port': [
    ({ report }) => Object.assign(report.target.peers ?? {}, { addresses: ['127.0.0.1:1'] }),
    /the base URL names 127\.0\.0\.1, and a connection reached 127\.0\.0\.1:1/,
  ],
  'a server certificate of a connection without TLS': [
    ({ report }) => {
      const validUntil = '2030-01-01T00:00:00.000Z';
      const one = { sha256: '0'.repeat(64), names: 'DNS:localhost', issuer: 'A', validUntil };
      Object.assign(report.target.peers ?? {}, { certificates: [one] });
    },
    /the base URL is http:, and a server certificate is recorded/,
  ],
  'no addresses': [
    ({ report }) => Reflect.deleteProperty(report.target, 'peers'),
    /it does not record which addresses the connections reached/,
  ],
  'dates before the challenge': [(draft) => shift(draft, -30 * day), /outside its window/],
  'dates within the window that the responses contradict': [
    (draft) => shift(draft, 3_600_000),
    /Date headers of \d+ of \d+ responses/,
  ],
  'responses of a cache that are older than the run': [
    (draft) => {
      shift(draft, -day);
      for (const { response } of draft.log.exchanges) response?.headers.push(['age', '0']);
    },
    /Date headers of \d+ of \d+ responses/,
  ],
  'an old run that is said to have gone on until today': [
    (draft) => prolong(draft, 80 * day),
    /ends long after its last exchange/,
  ],
  'exchanges in the opposite order': [
    (draft) => {
      const { exchanges } = draft.log;
      for (const [at, one] of exchanges.entries())
        one.startedAt = later(one.startedAt, (60_000 * at) / exchanges.length);
      prolong(draft, 60_000);
      exchanges.reverse();
    },
    /it ended long before exchanges that are recorded before it/,
  ],
  'a run that ends before it begins': [
    ({ report }) => Object.assign(report.run, { durationMs: -1 }),
    /report\.json|not sent while/,
  ],
  'a run at no time': [
    ({ report }) => Object.assign(report.run, { startedAt: '2026-13-41T00:00:00.000Z' }),
    /.+/,
  ],
  'a certificate of the same run that is issued anew much later': [
    (draft) => {
      draft.issuedAt = later(draft.issuedAt, 80 * day);
      draft.expiresAt = later(draft.expiresAt, 80 * day);
    },
    /was not issued at the end of the run/,
  ],
  'a certificate for a hundred years': [
    (draft) => Object.assign(draft, { expiresAt: later(draft.issuedAt, 36_500 * day) }),
    /not 1 to 366 days/,
  ],
  'another seed': [
    ({ log }) => Object.assign(log.run.options, { seed: 7 }),
    /seed of the run does not derive/,
  ],
  'another run id': [
    ({ log }) => Object.assign(log.run, { id: 'conformance-00000000' }),
    /the run id, and so every request id, does not derive/,
  ],
  'an older version': [
    ({ log, report }) => {
      log.run.harness.version = '0.0.1';
      report.harness.version = '0.0.1';
    },
    /requires commerce-conformance .* and the run used .* 0\.0\.1/,
  ],
  'a hidden development flag': [
    ({ report }) => Reflect.deleteProperty(report.run.options, 'development'),
    /the base URL is on loopback/,
  ],
  'an accepted server certificate': [
    ({ log }) => Object.assign(log.run.options, { insecure: true }),
    /--insecure accepts any server/,
  ],
  'narrowed checks': [
    ({ log }) => Object.assign(log.run.options, { checks: ['AUTH-*'] }),
    /--check leaves out checks/,
  ],
  'narrowed operations': [
    ({ log }) => Object.assign(log.run.options, { operations: ['getPublic*'] }),
    /--operation leaves out operations/,
  ],
  'fewer random values': [
    ({ log }) => Object.assign(log.run.options, { fuzzRuns: 1 }),
    /--fuzz-runs is less than/,
  ],
  'one request at a time': [(draft) => give(draft, { concurrency: 1 }), /--concurrency is below 8/],
  'custom checks': [
    ({ report }) => Object.assign(report.run.options, { checks: 'mine' }),
    /--checks adds to the contract/,
  ],
  'a lenient document under the digest of a strict one': [
    ({ log }) => {
      const content = { openapi: '3.1.0', info: { title: 'a', version: '1' }, paths: {} };
      const parts = { source: 'a.yaml', version: '3.1.0', defects: [], deviations: [] };
      Object.assign(log.run, { document: { ...parts, digest: `sha256:${'0'.repeat(64)}`, content } });
    },
    /document/,
  ],
};

describe('refused, as a run', () => refuses(runs, (attack) => changed(attack)));

/** Reports that the vendor changes after they are made to fit, with a certificate of its own. */
const reports: Attacks<(draft: Draft) => unknown> = {
  'custom checks that nobody made': [
    ({ report }) =>
      Object.assign(report, {
        additional: {
          folder: 'mine',
          requirements: [{ id: 'OWN-SAFE-1', level: 'must', text: 'it is audited' }],
          results: [],
          summary: { pass: 0, fail: 0, warn: 0, inconclusive: 0, notApplicable: 0, error: 0 },
        },
      }),
    /additional: the report says .*, the evidence absent/,
  ],
  'values that nobody found': [
    ({ report }) =>
      Object.assign(report.target, { discovered: [{ name: 'a.b', value: 'c', from: 'listPublicProducts' }] }),
    /target\.discovered: the report says .*, the evidence \[\]/,
  ],
  'exclusions of another run': [
    ({ report }) => Object.assign(report.target, { excluded: [{ class: 'empty', reason: 'nothing' }] }),
    /target\.excluded: the report says .*, the evidence absent/,
  ],
  'a way to the target that no option names': [
    ({ report }) => Object.assign(report.target, { connection: {} }),
    /target\.connection: the report says \{\}, the evidence absent/,
  ],
  'a pace that no refusal slowed down': [
    ({ report }) => Object.assign(report.run, { slowed: { by: { 429: 3 }, ms: 10_000, pace: 1 } }),
    /run\.slowed: the report says .*, the evidence absent/,
  ],
  'members in another order': [
    (draft) => {
      const { results, ...others } = draft.report;
      draft.report = { results, ...others };
    },
    /not in the order in which the harness writes them/,
  ],
  'an option with a value of another kind': [
    ({ report }) => Object.assign(report.run.options, { quiet: 'audited' }),
    /the option quiet cannot have this value/,
  ],
  'a merged run that is none': [
    ({ report }) => Object.assign(report.run, { shards: 5 }),
    /run\.shards: the report says 5/,
  ],
  'other options than those of the run': [
    ({ report }) =>
      Object.assign(report.run.options, { concurrency: 400, timeout: 5, provokeRateLimit: true }),
    /the option concurrency differs.*the option timeoutMs differs.*the option provokeRateLimit differs/s,
  ],
  'an option that nobody knows': [
    ({ report }) => Object.assign(report.run.options, { audited: 'by everybody' }),
    /the option audited cannot have this value/,
  ],
  'more random inputs than requests': [
    ({ report, log }) => {
      log.run.options.fuzzRuns = 1e9;
      Object.assign(report.run.options, { fuzzRuns: 1e9 });
    },
    /1000000000 random inputs at each place cannot be among its \d+ requests/,
  ],
};

describe('refused, as a report', () => {
  refuses(reports, (attack) => {
    const draft = draftOf(genuine);
    attack(draft);
    return forged(draft, vendor.privatePem);
  });
});

/** Statements that the vendor changes, and signs. */
const statements: Attacks<(statement: Mutable<Statement>) => unknown> = {
  'the challenge of another vendor': [
    ({ predicate }) => Object.assign(predicate, { vendor: 'Umbrella' }),
    /it is for the vendor Acme, and the certificate names Umbrella/,
  ],
  'another product': [
    ({ predicate }) => Object.assign(predicate, { product: 'Shop Pro' }),
    /it is for the product Shop/,
  ],
  'the development flag removed from the statement alone': [
    ({ predicate }) => Reflect.deleteProperty(predicate, 'development'),
    /differs in development/,
  ],
  'hidden exclusions': [
    ({ predicate }) => Object.assign(predicate, { exclusions: [{ class: 'empty', reason: 'nothing' }] }),
    /differs in exclusions/,
  ],
  'a must that is not said to be not applicable': [
    ({ predicate }) => predicate.notApplicable.pop(),
    /differs in notApplicable/,
  ],
  'hidden pages of a firewall': [
    ({ predicate }) => Object.assign(predicate.traffic, { blocked: { getPublicProduct: 1 } }),
    /differs in traffic/,
  ],
  'edited warnings': [
    ({ predicate }) => predicate.warnings.push({ test: 'a/b/c', requirement: 'AUTH-2', message: 'nothing' }),
    /differs in warnings/,
  ],
  'edited custom checks': [
    ({ predicate }) => predicate.customChecks.push('MINE-1'),
    /differs in customChecks/,
  ],
  'another way of connecting in the statement': [
    ({ predicate }) => Object.assign(predicate, { connection: { protocol: 'HTTP/2' } }),
    /differs in connection/,
  ],
  'a signer whose key has another id': [
    ({ predicate }) => Object.assign(predicate.signer ?? {}, { keyid: keyIdOf(strangerKey) }),
    /names a signer whose key has another id/,
  ],
};

describe('refused, as a statement', () => refuses(statements, stated));

/** Terms of a challenge of the same programme that the run is said to answer. */
const challenges: Attacks<() => Partial<Challenge>> = {
  'a fresh challenge for recorded evidence': [() => ({}), /seed of the run does not derive from its nonce/],
  'a challenge for another base URL': [
    () => ({ baseUrl: acme }),
    /challenge: it is for https:\/\/api\.acme\.example/,
  ],
  'a challenge whose window is over': [
    () => ({ notAfter: '2020-01-02T00:00:00.000Z' }),
    /outside its window/,
  ],
  'a challenge for another version': [
    () => ({ harness: { ...harnessIdentity, version: '9.9.9' } }),
    /it requires commerce-conformance 9\.9\.9/,
  ],
  'a challenge for another vendor key': [
    () => ({ vendorKey: '0'.repeat(64) }),
    /it requires the vendor key 0+, and/,
  ],
  'a challenge whose vendor key is the key of its owner': [
    () => ({ vendorKey: keyIdOf(programmeKey) }),
    /challenge: .*key/,
  ],
  'a challenge for a product, answered by a rehearsal': [
    () => ({ development: false }),
    /differ in whether this is a development certificate/,
  ],
};

describe('refused, as an answer', () => {
  refuses(challenges, (terms) => withChallenge(otherChallenge(terms())));
});

/** Envelopes in place of the challenge. */
const inPlace: Attacks<() => Envelope> = {
  'a challenge with longer dates under the old signature': [
    () => {
      const { document, envelope } = parseChallenge(challengeText);
      const payload = canonicalJson({ ...document, notAfter: '2099-01-01T00:00:00.000Z' });
      return { ...envelope, payload: Buffer.from(payload).toString('base64') };
    },
    /does not have exactly the signature of the owner key/,
  ],
  'a statement in place of the challenge': [
    () => enclose('{}', programmeKey),
    /challenge: is not of the type/,
  ],
  'a challenge that is not canonical': [
    () =>
      enclose(JSON.stringify(parseChallenge(challengeText).document, null, 1), programmeKey, challengeType),
    /is not canonical JSON/,
  ],
};

describe('refused, as a challenge', () => {
  refuses(inPlace, (envelope) => {
    const draft = draftOf(genuine);
    draft.challenge = { envelope: envelope(), vendor: 'Acme', product: 'Shop' };
    return forged(draft, vendor.privatePem);
  });
});

/** Results of a spot check that the owner is said to have countersigned. */
const spotChecks: Attacks<Partial<SpotCheckResult>> = {
  'a spot check that failed': [
    { passed: false, differences: ['getPublicProduct: another answer'] },
    /spot check: the service did not pass it/,
  ],
  'a spot check of another service': [
    { baseUrl: 'https://good.example' },
    /spot check: it is about another base URL/,
  ],
  'a spot check that was made before the run': [
    { startedAt: '2026-01-01T00:00:00.000Z' },
    /spot check: it was made before/,
  ],
  'a spot check that is to be made in years': [
    { startedAt: '2099-01-01T00:00:00.000Z' },
    /spot check: it was made in the future/,
  ],
  'a spot check of more operations than cases': [
    { repeated: 1, unrepeated: 39 },
    /spot check: it reached 25 operations, and repeated only 1 cases/,
  ],
  'a spot check that repeated nothing': [{ repeated: 0 }, /spot check: it repeated no/],
  'a spot check that left out operations': [{ operations: 1 }, /spot check: it reached 1 of \d+ operations/],
};

describe('refused, as a spot check', () => {
  refuses(spotChecks, (result) => countersigned({ ...passed(), ...result }));
});

/** The genuine files around another envelope. */
function enclosedIn(envelope: Envelope): CertifiedTexts {
  return { ...genuine, certificate: serialiseEnvelope(envelope) };
}

/** The genuine certificate, countersigned with this in place of the owner's spot check. */
function withSpotCheck(spotCheck: Envelope): CertifiedTexts {
  return enclosedIn({ ...addSignature(envelopeOf(genuine), programmeKey), spotCheck } as CertificateEnvelope);
}

/** The countersigned certificate after a change of its signatures. */
function withSignatures(change: (signatures: Envelope['signatures']) => unknown[]): CertifiedTexts {
  const envelope = envelopeOf(countersigned());
  return enclosedIn({ ...envelope, signatures: change(envelope.signatures) as Envelope['signatures'] });
}

/** The genuine payload after a change of its text, signed by the vendor. */
function textually(change: (payload: string) => string): CertifiedTexts {
  const envelope = envelopeOf(genuine);
  const payload = change(Buffer.from(envelope.payload, 'base64').toString());
  const bytes = Buffer.from(payload);
  const head = `DSSEv1 ${envelope.payloadType.length} ${envelope.payloadType} ${bytes.length} `;
  const sig = sign(null, Buffer.concat([Buffer.from(head), bytes]), vendorKey).toString('base64');
  const signatures = [{ keyid: keyIdOf(vendorKey), sig }];
  return enclosedIn({ ...envelope, payload: bytes.toString('base64'), signatures });
}

/** The genuine certificate with evidence of a run elsewhere. */
function elsewhere(baseUrl: string): CertifiedTexts {
  return { ...genuine, evidence: (genuine.evidence ?? '').replaceAll(service.baseUrl, baseUrl) };
}

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

const notSentThere = /evidence\.har: entry 1 was not sent to|as the harness writes it/;

/** Attacks of other kinds. */
const others: Attacks<() => CertifiedTexts | Promise<CertifiedTexts>> = {
  'no signature under the challenge': [
    () => forged(draftOf(genuine)),
    /an unsigned certificate cannot answer/,
  ],
  "a stranger's signature": [
    () => changed(() => undefined, forger.privatePem),
    /is signed by .*, not by|requires the vendor key/,
  ],
  'the spot check of another certificate': [
    () => withSpotCheck(signSpotCheck(envelopeOf(another), passed(), programmeKey)),
    /spot check: it is about another certificate/,
  ],
  'a spot check that the vendor signed': [
    () => withSpotCheck(signSpotCheck(envelopeOf(genuine), passed(), vendorKey)),
    /spot check: its owner key is not that of the challenge/,
  ],
  'a spot check inside another': [
    () => {
      const inner = signSpotCheck(envelopeOf(genuine), passed(), programmeKey);
      return withSpotCheck({ ...inner, spotCheck: inner } as CertificateEnvelope);
    },
    /certificate\.json|spot check/,
  ],
  'a countersignature of a stranger': [
    () => countersigned(passed(), strangerKey),
    /a key that it does not name/,
  ],
  'a countersignature that was copied from another certificate': [
    () => withSignatures(([first]) => [first, addSignature(envelopeOf(another), programmeKey).signatures[1]]),
    /the owner's signature is wrong/,
  ],
  'a second signature of the vendor that is wrong': [
    () => withSignatures(([first, ...rest]) => [first, { ...first, sig: 'AAAA' }, ...rest]),
    /must match pattern/,
  ],
  'the same signature twice': [() => withSignatures(([first, ...rest]) => [first, first, ...rest]), /twice/],
  "the owner's signature under the vendor's name": [
    () => withSignatures(([first, second]) => [{ ...first, sig: second?.sig }]),
    /signature/,
  ],
  'the key id of the owner with the signature of a stranger': [
    () => {
      const [, theirs] = addSignature(envelopeOf(genuine), strangerKey).signatures;
      return withSignatures(([first, second]) => [first, { ...second, sig: theirs?.sig }]);
    },
    /owner's signature is wrong/,
  ],
  'a member that stands twice in the statement': [
    () => textually((text) => text.replace('"url":', '"url":"https://api.acme.example","url":')),
    /differs from what the harness writes|differs in/,
  ],
  'a member that stands twice in the envelope': [
    () => ({
      ...genuine,
      certificate: (genuine.certificate ?? '').replace('"payload":', '"payload": "e30=",\n  "payload":'),
    }),
    /differs from what the harness writes/,
  ],
  'a member that stands twice in the report': [
    () => {
      const files = forged(draftOf(genuine), vendor.privatePem);
      const report = (files.report ?? '').replace('"verdict":', '"verdict": "x",\n  "verdict":');
      return { ...files, report };
    },
    /report\.json: differs/,
  ],
  'a prototype in the statement': [
    () => textually((text) => text.replace('{', '{"__proto__":{"result":"PASSED"},')),
    /certificate\.json/,
  ],
  'a payload in another alphabet of base64': [
    () => enclosedIn({ ...envelopeOf(genuine), payload: `${envelopeOf(genuine).payload}\n` }),
    /certificate\.json/,
  ],
  'exclusions that the evidence hides': [
    async () => {
      const exclude = [{ class: 'very-long', reason: 'the gateway cuts long paths' }];
      const target = { ...service.target, exclude } as typeof service.target;
      const draft = draftOf(await shortRun({ ...service, target }));
      expect(draft.log.run.target.exclusions).toHaveLength(1);
      draft.log.run.target.exclusions = [];
      for (const attempt of draft.log.attempts) attempt.leftOut = [];
      return forged({ ...draft, report: await derivedReport(draft) }, vendor.privatePem);
    },
    /the evidence lacks a planned request|and the plan requires/,
  ],
  'a quick run that claims to be a standard one': [
    async () => {
      const draft = draftOf(await shortRun(service, undefined, 'quick'));
      draft.log.run.options.profile = 'standard';
      return forged({ ...draft, report: await derivedReport(draft) }, vendor.privatePem);
    },
    /the evidence lacks a planned request|no attempt at/,
  ],
  'a base URL with a user name that looks like a host': [
    () => elsewhere('https://api.acme.example@127.0.0.1'),
    notSentThere,
  ],
  'a loopback address in another notation': [() => elsewhere('http://2130706433'), notSentThere],
  'a loopback address in short notation': [() => elsewhere('http://127.1'), notSentThere],
  'a base URL in capitals': [() => elsewhere('HTTPS://API.ACME.EXAMPLE'), notSentThere],
  'a base URL in letters of another script': [
    () => elsewhere('https://api.\u0430cme.example'),
    /must match format "uri"/,
  ],
  'a base URL whose host ends in a dot': [
    () => elsewhere('https://api.acme.example.'),
    /base URL|server certificate/,
  ],
  'a case that was left out': [() => omitted(untestedCheck), /no attempt at .* is recorded/],
  'a report of another certificate': [() => ({ ...genuine, report: another.report }), /is not the file that/],
};

describe('refused', () => refuses(others, (attack) => attack()));

/** Attacks that leave a consistent certificate, with the level that it deserves. */
const lowered: Readonly<Record<string, readonly [() => CertifiedTexts, LevelOfTrust]>> = {
  'the challenge removed': [
    () => {
      const { challenge: _challenge, ...draft } = draftOf(genuine);
      return forged(draft, vendor.privatePem);
    },
    'signed',
  ],
  "the owner's signature removed": [() => withSignatures(([first]) => [first]), 'challenged'],
  'the spot check removed': [
    () => {
      const { spotCheck: _spotCheck, ...envelope } = envelopeOf(countersigned()) as CertificateEnvelope;
      return enclosedIn(envelope);
    },
    'challenged',
  ],
};

describe('lowered', () => {
  it.each(Object.entries(lowered))('%s', async (_what, [attack, level]) => {
    expect(await levelOf(attack())).toEqual({ level, problems: '' });
  });

  it('a challenge of an owner that the verifier does not know', async () => {
    const ownerKey = createPublicKey(strangerKey);
    expect(await levelOf(countersigned(), { ownerKey })).toEqual({ level: 'signed', problems: '' });
  });

  it('answers that were made up throughout are self-declared without a known key', async () => {
    const { challenge: _challenge, ...draft } = draftOf(genuine);
    const { level, problems } = await verified(forged(draft, forger.privatePem));
    expect({ level, problems }).toEqual({ level: 'self-declared', problems: [] });
  });

  it('a merged run, for whose requests nothing but the signature vouches', async () => {
    const { challenge: _challenge, ...draft } = draftOf(genuine);
    delete draft.log.run.derivation;
    draft.log.run.shards = [draft.log.run.id];
    draft.log.exchanges[0]?.request.headers.push(['x-test-mode', '1']);
    const report = await derivedReport(draft);
    Object.assign(report.run, { shards: 1 });
    const { level, problems, recomputed, remarks } = await verified(
      forged({ ...draft, report }, vendor.privatePem),
      { withKey: true },
    );
    expect({ level, problems, recomputed }).toEqual({ level: 'signed', problems: [], recomputed: undefined });
    expect(remarks).toContainEqual(expect.stringContaining('merged from shards'));
  });
});

describe('claims', () => {
  it('name the operations of which a firewall answered calls, and the warnings by what they are', async () => {
    const files = await changed((draft) => block(draft, 1));
    expect(await levelOf(files)).toEqual({ level: 'challenged', problems: '' });
    const { claims } = await verified(files);
    expect(claims?.traffic.blocked).toEqual({ getPublicProduct: 1 });
    expect(claims?.warnings).toContainEqual(
      expect.objectContaining({
        message: expect.stringContaining('that a server or proxy may have written'),
      }),
    );
  });

  it('name why musts did not apply', async () => {
    const { claims } = await verified(genuine);
    expect(claims?.notApplicable.map(({ reason }) => reason)).toContain('no document was supplied');
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
