import { longestPropagation } from '../../harness/calls/propagation-delay.ts';
import { endOf, hasStatus, parseBody, startOf } from '../../harness/evidence/answer.ts';
import { leavesOf } from '../../harness/evidence/json-leaves.ts';
import { groupBy } from '../../harness/group-by.ts';
import type { Exchange, RecordedBody } from '../../harness/model/exchange.ts';

/** Shorter texts may stand in several bodies by chance. */
const leastLength = 8;

/** The tries of the calls that sent what one response issued, and no other one. */
interface FirstUse {
  readonly issuer: Exchange;
  readonly tries: readonly [Exchange, ...Exchange[]];
  /** Milliseconds between the response and the first try. */
  readonly waitedMs: number;
  /** What was issued between them and may have replaced it. */
  readonly others: number;
  /** What certainly was. */
  readonly between: number;
}

/** Which calls use what others issue. */
interface Uses {
  readonly uses: readonly Exchange[];
  readonly issuing: readonly Exchange[];
  /** The texts of a use that may have been issued. */
  readonly textsOf: (use: Exchange) => ReadonlySet<string>;
  /** Whether all tries of what was issued tell what became of it. */
  readonly isTelling: (tries: readonly [Exchange, ...Exchange[]]) => boolean;
  /** Whether what one call issued may replace what another did. */
  readonly mayReplace: (one: Exchange, other: Exchange) => boolean;
}

/**
 * What was issued, and answered with a status at its first use and for two seconds, by when each part of a target knows it;
 * other things were accepted as long after they were issued, and beside as many others.
 */
export function refusedFirstUses(found: Uses, status: number): readonly FirstUse[] | undefined {
  const first = firstUses(found);
  const accepted = first.filter(({ tries: [one] }) => hasStatus(one, 200));
  const refused = first.filter(
    ({ tries: [one, ...again], waitedMs, others }) =>
      [one, ...again].every((each) => hasStatus(each, status)) &&
      again.some((each) => startOf(each) - startOf(one) >= longestPropagation) &&
      accepted.some((each) => each.waitedMs >= waitedMs && each.between >= Math.max(1, others)),
  );
  return first.length === 0 ? undefined : refused;
}

/** The texts of a body that may have been issued. */
export function textsIn(body: RecordedBody | undefined): ReadonlySet<string> {
  const leaves = [...leavesOf(parseBody(body)).values()];
  return new Set(
    leaves.flatMap((leaf) => (typeof leaf === 'string' && leaf.length >= leastLength ? [leaf] : [])),
  );
}

function firstUses({ uses, issuing, textsOf, isTelling, mayReplace }: Uses): readonly FirstUse[] {
  const issuers = new Map<string, Exchange[]>();
  for (const one of issuing) {
    const asked = textsIn(one.request.body);
    for (const text of textsIn(one.response?.body))
      if (!asked.has(text)) issuers.set(text, [...(issuers.get(text) ?? []), one]);
  }
  const sent = uses.map((one) => ({
    one,
    from: [...new Set([...textsOf(one)].flatMap((text) => issuers.get(text) ?? []))],
  }));
  const byIssuer = groupBy(
    sent.flatMap(({ one, from }) => from.map((issuer) => ({ one, issuer, isSole: from.length === 1 }))),
    ({ issuer }) => issuer,
  );
  return [...byIssuer].flatMap(([issuer, all]): readonly FirstUse[] => {
    const [first, ...again] = all.map(({ one }) => one).toSorted((a, b) => startOf(a) - startOf(b));
    if (first === undefined || !all.every(({ isSole }) => isSole) || !isTelling([first, ...again])) return [];
    const others = issuing.filter(
      (one) =>
        one !== issuer &&
        mayReplace(one, issuer) &&
        endOf(one) > startOf(issuer) &&
        startOf(one) < startOf(first),
    );
    const between = others.filter((one) => startOf(one) > endOf(issuer) && endOf(one) < startOf(first));
    const waitedMs = startOf(first) - endOf(issuer);
    const tries = [first, ...again] as const;
    return [{ issuer, tries, waitedMs, others: others.length, between: between.length }];
  });
}
