import type { RunOptions } from '../model/run-options.ts';
import { dividePlan } from './divide-plan.ts';
import { type Plan, roomAside, type Sending } from './plan.ts';

/** Limits of all shards together. */
export type Limits = Pick<RunOptions, 'concurrency' | 'rate' | 'maxRequests'>;

/**
 * The share of the limits that a run may use. Shards run at the same time, so each gets rate and budget in proportion to
 * its requests, and they end together; in sum they stay within the limits, except that each may send one request at a time.
 */
export function shareOf(
  whole: Plan,
  { shard, concurrency, rate, maxRequests }: Limits & Pick<RunOptions, 'shard'>,
  sending: Sending,
): Limits {
  if (shard === undefined) return { concurrency, rate, maxRequests };
  const weights = dividePlan(whole, shard.of, sending).map(({ weight }) => weight);
  const mine = shard.index - 1;
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return {
    // Evenly, because a defect that needs concurrency can be in any operation.
    concurrency:
      apportion(
        concurrency,
        weights.map(() => 1),
      )[mine] ?? 1,
    rate: rate === undefined ? undefined : (rate * (weights[mine] ?? 0)) / sum,
    maxRequests:
      apportion(
        maxRequests,
        weights.map((weight) => weight + roomAside),
      )[mine] ?? 1,
  };
}

/** Whole numbers in proportion to the weights, which add up to the total; at least 1 each, even if the sum is larger. */
export function apportion(total: number, weights: readonly number[]): readonly number[] {
  const spare = Math.max(0, total - weights.length);
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const exact = weights.map((weight) => (spare * weight) / sum);
  const floors = exact.map(Math.floor);
  const left = spare - floors.reduce((all, one) => all + one, 0);
  const byRemainder = exact
    .map((one, at) => ({ at, remainder: one - Math.floor(one) }))
    .sort((a, b) => b.remainder - a.remainder || a.at - b.at);
  const lucky = new Set(byRemainder.slice(0, left).map(({ at }) => at));
  return floors.map((floor, at) => 1 + floor + (lucky.has(at) ? 1 : 0));
}
