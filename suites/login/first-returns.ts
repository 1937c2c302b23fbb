import { endOf, parseBody, startOf } from '../../harness/evidence/answer.ts';
import { leavesOf } from '../../harness/evidence/json-leaves.ts';
import { groupBy } from '../../harness/group-by.ts';
import type { Exchange, RecordedBody } from '../../harness/model/exchange.ts';

/** Shorter texts may stand in several bodies by chance. */
const leastLength = 8;
/** Bytes of a longer body, which no plain call has. */
export const mostBytes = 20_000;
/** The tries of the only call that sent what one response issued. */
export interface FirstReturn {
  readonly tries: readonly [Exchange, ...Exchange[]];
  /** The texts of the response that issued it. */
  readonly issued: ReadonlySet<string>;
  /** Milliseconds between the initiation of the login and the first try. */
  readonly waitedMs: number;
  /** Equal logins that may have been initiated between them. */
  readonly others: number;
  /** Those that certainly were. */
  readonly between: number;
}

/** The texts of a body that may have been issued. */
export function textsIn(body: RecordedBody | undefined): ReadonlySet<string> {
  const leaves = [...leavesOf(parseBody(body)).values()];
  return new Set(
    leaves.flatMap((leaf) => (typeof leaf === 'string' && leaf.length >= leastLength ? [leaf] : [])),
  );
}

/** The plain calls that sent what one response of another operation issued, if no other call sent it and no other response shows it. */
export function firstReturns(
  returns: readonly Exchange[],
  issuing: readonly Exchange[],
): readonly FirstReturn[] {
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
    const issued = textsIn(issuer.response?.body);
    return [{ tries: [first, ...again], issued, waitedMs, others: others.length, between: between.length }];
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
