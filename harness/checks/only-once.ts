import { statusOf } from '../evidence/answer.ts';
import type { Exchange } from '../model/exchange.ts';

/** How often equal calls are sent at once: whether they meet is a matter of chance. */
export const rounds = 2;
/** Further rounds, and calls one after another, where a round succeeded more than once. */
export const furtherRounds = 4;
export const sequences = 4;
/** Calls after the first of a sequence: more than a target has replicas that may not know of the first yet. */
export const repeatsInSequence = 6;
/** Rounds that must succeed more than once, so that a replica which is seldom behind does not decide. */
const leastRaces = 3;

/** The rounds of equal calls at once of which more than one succeeded. */
export function racesAmong(
  groups: ReadonlyArray<readonly Exchange[]>,
): ReadonlyArray<readonly Exchange[]> {
  return groups.filter((calls) => calls.filter(isSuccess).length > 1);
}

/**
 * The second success of a round in which equal calls at once succeeded, where equal calls one after another succeed only
 * once, each time. Undefined where that is not certain: replicas that learn of a write later let calls succeed twice in
 * turn, and so do targets that repeat a response for a while, which conforms.
 */
export function secondSuccess(
  atOnce: ReadonlyArray<readonly Exchange[]>,
  inTurn: ReadonlyArray<readonly Exchange[]>,
): Exchange | undefined {
  const races = racesAmong(atOnce);
  if (races.length < leastRaces) return undefined;
  const isOnceInTurn = ([first, ...repeats]: readonly Exchange[]): boolean =>
    first !== undefined &&
    isSuccess(first) &&
    repeats.length === repeatsInSequence &&
    repeats.every((one) => [400, 401, 403, 404, 409].includes(statusOf(one) ?? 0));
  if (inTurn.length < sequences || !inTurn.every(isOnceInTurn)) return undefined;
  return races.at(-1)?.filter(isSuccess).at(-1);
}

/** Exchanges by what a key says of them, in the order of their first. */
export function groupsOf(
  exchanges: readonly Exchange[],
  keyOf: (exchange: Exchange) => string | undefined,
): ReadonlyArray<readonly Exchange[]> {
  const groups = new Map<string | undefined, Exchange[]>();
  for (const exchange of exchanges) {
    const key = keyOf(exchange);
    groups.set(key, [...(groups.get(key) ?? []), exchange]);
  }
  return [...groups.values()];
}

function isSuccess(exchange: Exchange): boolean {
  return statusOf(exchange) === 200;
}
