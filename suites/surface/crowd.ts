import { endOf, hasStatus, isOk, startOf } from '../../harness/evidence/answer.ts';
import { listedRow } from '../../harness/evidence/sent-values.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { StepPlan } from '../../harness/sampling/step-plan.ts';
import { isSafe, type Operation } from '../../spec/operation.ts';
import { isAnother } from './listed-resources.ts';

/** A step of operations that name a resource. */
export const withParameters: StepPlan = { at: ({ pathParameters }) => pathParameters.length > 0 };

/** Calls under way at once, which show what fails only under concurrency: as many as a run sends by default. */
const callsAtOnce = 8;

/** Calls under way at once in a deep run, in addition: more than a pool of a usual size serves. */
export const moreAtOnce = 33;

/** Calls of the crowd that name another known resource. */
export const othersInCrowd = 2;

/** Whether an operation is a public read of no resource. */
export function isPlainRead({ auth, pathParameters }: Operation): boolean {
  return auth === 'none' && pathParameters.length === 0;
}

/** Calls of the crowd that are simply valid. */
export function validInCrowd(operation: Operation): number {
  if (isPlainRead(operation)) return callsAtOnce - 2;
  const strangers = operation.auth === 'api-key' ? 1 : 0;
  return callsAtOnce - strangers - (operation.pathParameters.length > 0 ? 2 + othersInCrowd : 0);
}

/** The company of a call in a finding; undefined for one that met no other, and came after none on its connection. */
export function companyOf(
  exchange: Exchange,
  {
    crowd,
    afterRefused,
    afterMiss,
  }: Readonly<Record<'crowd' | 'afterRefused' | 'afterMiss', readonly Exchange[]>>,
): Pick<Violation, 'company'> {
  if (afterRefused.includes(exchange)) return { company: 'on a connection that carried a refused call' };
  if (afterMiss.includes(exchange))
    return { company: 'on a connection that carried a call which found nothing' };
  const [start, end] = [startOf(exchange), endOf(exchange)];
  const count = crowd.filter((one) => startOf(one) <= end && endOf(one) >= start).length;
  return count < 2 || !crowd.includes(exchange)
    ? {}
    : { company: `with ${count} calls of the operation under way` };
}

/** The texts of a finding about a known value that is no longer found after calls in another spelling. */
export const afterOtherLetters: Partial<Violation> = {
  company: 'after calls with the value in other letters, and with a space behind it',
  fix: 'Look up, cache and evict each value exactly as it is: an entry for a missing value under a trimmed or case-folded key hides the value itself.',
};

const ofMixedUp = {
  statement: 'A call got the response of a concurrent call',
  expected: '200 with the resource that its path names, as when it is sent alone',
  actual: '200 with another resource',
  headline: 'A call got the response of a concurrent call',
  fix: 'Keep the result of each lookup with its own request: not in a field of an object that requests share, in a batch that is answered in another order, or under a key that is not the whole value.',
};

/** Whether an initiation met another one, which a service may refuse. */
export function isConflict(exchange: Exchange, operation: Operation): boolean {
  return !isSafe(operation) && hasStatus(exchange, 409);
}

/**
 * A call of the crowd that shows a resource other than the one that it names, although other calls show both correctly: one
 * before the crowd the known one, and some of them another one.
 */
export function mixedUpIn(
  crowd: readonly Exchange[],
  { pathParameters }: Operation,
  [[known], other]: readonly [before: readonly Exchange[], other: readonly Exchange[]],
): Violation | undefined {
  const [name = ''] = pathParameters.slice(-1);
  const isNamedBy = (one: Exchange): boolean =>
    one.row?.[listedRow] !== undefined && isOk(one) && known !== undefined && !isAnother(name, known, one);
  if (known === undefined || ![...other, ...crowd].some(isNamedBy)) return undefined;
  const exchange = crowd.find((one) => isAnother(name, known, one));
  return exchange && { ...ofMixedUp, exchange };
}
