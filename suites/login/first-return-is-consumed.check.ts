import { longestPropagation } from '../../harness/calls/propagation-delay.ts';
import type { CollectiveCheck } from '../../harness/checks/check.ts';
import { comparedAnswers } from '../../harness/checks/compared-answers.ts';
import { endOf, hasStatus, parseBody, startOf, statusOf } from '../../harness/evidence/answer.ts';
import { leavesOf } from '../../harness/evidence/json-leaves.ts';
import { groupBy } from '../../harness/group-by.ts';
import type { Exchange, RecordedBody } from '../../harness/model/exchange.ts';

/** Shorter texts may stand in several bodies by chance. */
const leastLength = 8;
/** Bytes of a longer body, which no plain call has. */
const mostBytes = 20_000;
/** Refused returns before it is told: one may be due to something between harness and target. */
const fewestRefused = 2;

/** The tries of the only call that sent what one response issued. */
interface FirstReturn {
  readonly tries: readonly [Exchange, ...Exchange[]];
  /** Milliseconds between the initiation of the login and the first try. */
  readonly waitedMs: number;
  /** Equal logins that may have been initiated between them. */
  readonly others: number;
  /** Those that certainly were. */
  readonly between: number;
}

export const check: CollectiveCheck = comparedAnswers({
  requirement: 'LOGIN-1',
  title: 'the first return of a login is not refused as one that has been consumed, or that nobody began',
  applies: ({ role }) => role === 'consumes-login',
  dedupeKey: ({ id, request: { method, body } }) =>
    method === 'POST' && (body?.bytes ?? mostBytes) < mostBytes ? id : undefined,
  look: (mine, { exchanges }) => {
    const first = firstReturns(
      mine,
      exchanges.filter((one) => !mine.includes(one) && hasStatus(one, 200)),
    );
    if (first.length === 0) return 'no return was sent whose login was initiated for it alone';
    const accepted = first.filter(({ tries: [one] }) => hasStatus(one, 200));
    // Logins stay open for that long, and beside as many others. Every part of a target must know a login by the last try.
    const refused = first.filter(
      ({ tries: [one, ...again], waitedMs, others }) =>
        [one, ...again].every((each) => hasStatus(each, 404, 409)) &&
        again.every((each) => startOf(each) >= endOf(one)) &&
        accepted.some((each) => each.waitedMs >= waitedMs && each.between >= Math.max(1, others)),
    );
    const isKnown = ({ tries, waitedMs }: FirstReturn): boolean =>
      tries.some((each) => waitedMs + startOf(each) - startOf(tries[0]) >= longestPropagation);
    if (refused.length < fewestRefused || !refused.some(isKnown)) return [];
    return refused
      .toSorted((a, b) => Number(isKnown(b)) - Number(isKnown(a)))
      .map(({ tries: [exchange] }) => ({
        exchange,
        headline: `The first return of a hosted login is refused as if ${hasStatus(exchange, 409) ? 'it had been consumed' : 'nobody had begun it'}`,
        actual: `${statusOf(exchange)} to ${refused.length} returns, each sent by one call alone`,
      }));
  },
  statement: 'A return is refused that no other call has sent',
  expected: '200, as to other first returns',
  fix: 'Carry out each return once, and answer it with 200. Look for a component that sends it twice and passes on the second answer, such as a gateway that retries a POST that takes long (HAProxy: `http-request disable-l7-retry if METH_POST`; nginx: no `non_idempotent` in `proxy_next_upstream`; Envoy: no `retry_on` here), or for an index or a cache that takes one login for another.',
  passes: 'no first return was refused for good',
});

/** The texts of a body that may have been issued. */
function textsIn(body: RecordedBody | undefined): ReadonlySet<string> {
  const leaves = [...leavesOf(parseBody(body)).values()];
  return new Set(
    leaves.flatMap((leaf) => (typeof leaf === 'string' && leaf.length >= leastLength ? [leaf] : [])),
  );
}

/** The plain calls that sent what one response of another operation issued, if no other call sent it and no other response shows it. */
function firstReturns(returns: readonly Exchange[], issuing: readonly Exchange[]): readonly FirstReturn[] {
  const issuers = new Map<string, Exchange[]>();
  for (const one of issuing) {
    const asked = textsIn(one.request.body);
    for (const text of textsIn(one.response?.body))
      if (!asked.has(text)) issuers.set(text, [...(issuers.get(text) ?? []), one]);
  }
  const issuersOf = ({ request }: Exchange): readonly Exchange[] => [
    ...new Set([...textsIn(request.body)].flatMap((text) => issuers.get(text) ?? [])),
  ];
  const sent = returns.map((one) => ({ one, from: issuersOf(one) }));
  const byIssuer = groupBy(
    sent.flatMap(({ one, from }) => from.map((issuer) => ({ one, issuer, isSole: from.length === 1 }))),
    ({ issuer }) => issuer,
  );
  return [...byIssuer].flatMap(([issuer, all]): readonly FirstReturn[] => {
    const [first, ...again] = all.map(({ one }) => one).toSorted((a, b) => startOf(a) - startOf(b));
    if (first === undefined || !all.every(({ isSole }) => isSole) || !isPlain(first)) return [];
    if (!again.every((one) => callOf(one) === callOf(first))) return [];
    const equal = issuing.filter(
      (one) =>
        one !== issuer &&
        one.operation === issuer.operation &&
        one.request.body?.text === issuer.request.body?.text,
    );
    const others = equal.filter((one) => endOf(one) > startOf(issuer) && startOf(one) < startOf(first));
    const between = others.filter((one) => startOf(one) > endOf(issuer) && endOf(one) < startOf(first));
    const waitedMs = startOf(first) - endOf(issuer);
    return [{ tries: [first, ...again], waitedMs, others: others.length, between: between.length }];
  });
}

/** Whether a call differs in nothing that may have led to a conflict. */
function isPlain({ row, request }: Exchange): boolean {
  const isKeyed = request.headers.some(([name]) => name === 'idempotency-key');
  return row === undefined && request.credential.kind === 'scoped' && !isKeyed;
}

/** Equal for the tries of one call. */
function callOf({ case: from, attempt, step = '', label, request }: Exchange): string {
  return JSON.stringify([from, attempt, step, label, request.body?.text]);
}
