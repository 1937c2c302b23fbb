import type { RunOptions } from '../model/run-options.ts';
import { dividePlan, type Sending } from './divide-plan.ts';
import type { Plan } from './plan.ts';

/** Requests that every governor keeps back, for cleaning up and for what is good to know. */
const roomOfShard = 130;

/** Limits that hold for all shards together where a run is divided. */
export type Limits = Pick<RunOptions, 'concurrency' | 'rate' | 'maxRequests'>;

/**
 * What a run may use of the limits. Shards run at the same time, so that each has the part of rate and budget that goes
 * with what it sends, and they end together; together they never have more than the whole, but for the one request at a time that
 * each needs.
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
    // Evenly: what breaks only in a crowd can be anywhere.
    concurrency:
      apportion(
        concurrency,
        weights.map(() => 1),
      )[mine] ?? 1,
    rate: rate === undefined ? undefined : (rate * (weights[mine] ?? 0)) / sum,
    maxRequests:
      apportion(
        maxRequests,
        weights.map((weight) => weight + roomOfShard),
      )[mine] ?? 1,
  };
}

/** Whole numbers in proportion to the weights that come to the total; at least 1 each, also where that is more. */
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
