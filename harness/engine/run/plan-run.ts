import type { Catalogue } from '../../checks/catalogue.ts';
import type { RunOptions } from '../../model/run-options.ts';
import type { SuppliedDocument } from '../../model/supplied-document.ts';
import type { Profile } from '../../sampling/profile.ts';
import type { Effort } from '../../sampling/step-plan.ts';
import { partOfPlan } from '../shards/divide-plan.ts';
import { affordableFuzzRuns, type Plan, planCases, type Sending, sufficientRequests } from './plan.ts';

/** What a plan depends on besides the catalogue. */
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
  /** What this run sends: its shard, or the whole. */
  readonly plan: Plan;
  readonly sending: Sending;
}

/** The limit of a run where the user gives none: enough for all cases, whichever of them are chosen. */
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
