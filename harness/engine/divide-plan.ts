import type { Operation } from '../../spec/contract.ts';
import type { Shard } from '../model/shard.ts';
import { stateOf } from '../requests/state-locks.ts';
import { type Plan, requestsOf, type Sending } from './plan.ts';

/** What one shard runs. */
export interface PlanPart {
  readonly plan: Plan;
  /** Expected number of requests. */
  readonly weight: number;
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
export function dividePlan(plan: Plan, of: number, sending: Sending): readonly PlanPart[] {
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

/** In the order of the plan. */
function unitsOf(plan: Plan, { hasDocument, ...effort }: Sending): readonly Unit[] {
  const units = new Map<string, Unit>();
  for (const planned of plan.active) {
    const { operation, check } = planned;
    const name = stateOf(operation) ?? operation.id;
    const unit = units.get(name) ?? { operations: new Set(), weight: 0 };
    units.set(name, unit);
    unit.operations.add(operation.id);
    if (check.needsDocument !== true || hasDocument) unit.weight += requestsOf(planned, effort);
  }
  return [...units.values()];
}
