import type { Operation } from '../../../spec/contract.ts';
import { sharedResource } from '../../../spec/operation.ts';
import type { Catalogue } from '../../checks/catalogue.ts';
import { groupBy } from '../../group-by.ts';
import type { RunOptions, Shard } from '../../model/run-options.ts';
import type { SuppliedDocument } from '../../model/supplied-document.ts';
import type { Profile } from '../../sampling/profile.ts';
import type { Effort } from '../../sampling/step-plan.ts';
import {
  affordableFuzzRuns,
  announcedRequests,
  type Plan,
  planCases,
  roomAside,
  type Sending,
  sufficientRequests,
} from './plan.ts';

/** The settings on which a plan depends, besides the catalogue. */
export interface PlanInput {
  readonly options: Pick<RunOptions, 'operations' | 'checks' | 'shard' | 'fuzzRuns'> & {
    readonly maxRequests?: number;
    readonly profile?: Profile;
  };
  readonly document?: SuppliedDocument | undefined;
}

/** The plan of a run, and of the shard that the options name. */
export interface PlannedRun {
  readonly whole: Plan;
  /** The part that this run sends: its shard, or everything. */
  readonly plan: Plan;
  readonly sending: Sending;
}

/** The default limit of a run: enough for all selected cases. */
export function usualLimit(
  { contract, checks, requirements }: Catalogue,
  { fuzzRuns, profile }: Effort,
  hasDocument: boolean,
): number {
  const everything = planCases(contract, checks, requirements, { operations: [], checks: [], profile });
  return sufficientRequests(everything, { fuzzRuns, profile, hasDocument });
}

/** Plans a run: the same input gives the same plan in every thread and for every reader of its evidence. */
export function planRun(
  { contract, checks, requirements }: Catalogue,
  { options, document }: PlanInput,
): PlannedRun {
  const whole = planCases(contract, checks, requirements, options);
  const { fuzzRuns, profile = 'standard', maxRequests = Number.POSITIVE_INFINITY } = options;
  const wanted = { fuzzRuns, profile, hasDocument: document !== undefined };
  const sending = { ...wanted, fuzzRuns: affordableFuzzRuns(whole, wanted, maxRequests) };
  return { whole, plan: partOfPlan(whole, options.shard, sending), sending };
}

/** Operations whose cases stay together. */
interface Unit {
  readonly operations: Set<string>;
  weight: number;
}

/** Requests of a shard besides those of its cases: each shard makes its own preflight. */
const requestsOfPreflight = 25;

/** The largest number of shards of a plan in which each has something to send. */
export function mostShards(plan: Plan): number {
  return unitsOf(plan, { fuzzRuns: 0, profile: 'standard', hasDocument: false }).length;
}

/**
 * Divides a plan into parts that send about the same number of requests; the result depends only on the plan. The cases
 * of an operation stay together, because the case that saw a violation confirms it; so do the cases on one shared state,
 * because a target may allow one session or login at a time. Collective checks need all exchanges: the merge evaluates them.
 */
export function dividePlan(
  plan: Plan,
  of: number,
  sending: Sending,
): ReadonlyArray<{ readonly plan: Plan; readonly weight: number }> {
  const parts = Array.from(
    { length: of },
    (): Unit => ({ operations: new Set(), weight: requestsOfPreflight }),
  );
  for (const unit of [...unitsOf(plan, sending)].sort((a, b) => b.weight - a.weight)) {
    const lightest = parts.reduce((least, part) => (part.weight < least.weight ? part : least));
    lightest.weight += unit.weight;
    for (const operation of unit.operations) lightest.operations.add(operation);
  }
  return parts.map(({ operations, weight }) => {
    const isMine = ({ operation }: { readonly operation: Operation }): boolean =>
      operations.has(operation.id);
    return {
      plan: {
        active: plan.active.filter(isMine),
        passive: plan.passive.filter(isMine),
        collective: [],
        notApplicable: plan.notApplicable.filter((one) => isMine(one) && one.check.kind !== 'collective'),
      },
      weight,
    };
  });
}

/** The plan of a run: the whole, or its shard. */
export function partOfPlan(whole: Plan, shard: Shard | undefined, sending: Sending): Plan {
  if (shard === undefined) return whole;
  const part = dividePlan(whole, shard.of, sending)[shard.index - 1];
  if (part === undefined) throw new Error(`there is no shard ${shard.index} of ${shard.of}`);
  return part.plan;
}

function unitsOf(plan: Plan, sending: Sending): readonly Unit[] {
  const units = groupBy(plan.active, ({ operation }) => sharedResource(operation) ?? operation.id);
  return [...units.values()].map((active) => ({
    operations: new Set(active.map(({ operation }) => operation.id)),
    weight: announcedRequests({ ...plan, active }, sending),
  }));
}

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
  const evenly = weights.map(() => 1);
  const inProportion = weights.map((weight) => weight + roomAside);
  return {
    // Because a defect that needs concurrency can be in any operation.
    concurrency: apportion(concurrency, evenly)[mine] ?? 1,
    rate: rate === undefined ? undefined : (rate * (weights[mine] ?? 0)) / sum,
    maxRequests: apportion(maxRequests, inProportion)[mine] ?? 1,
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
