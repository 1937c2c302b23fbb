import type { Operation } from '../../spec/operation.ts';
import { includes, type Profile } from './profile.ts';

/** What the plan of a run depends on, besides its cases. */
export interface Effort {
  readonly profile: Profile;
  /** Random inputs for each parameter and each body. */
  readonly fuzzRuns: number;
}

/** A value that a step may send. */
export interface PlannedValue {
  /** The least thorough profile that sends it; `quick` if absent. */
  readonly from?: Profile;
}

/** A number that may depend on the operation and on the random inputs that the user asks for. */
type CountAt = number | ((operation: Operation, fuzzRuns: number) => number);

/** A number of requests, which may differ by profile. */
export type Count = CountAt | Readonly<Record<Profile, CountAt>>;

/** Where a run plans a step, and how many requests one attempt then sends. */
export interface StepPlan {
  /** The least thorough profile that plans it; `quick` if absent. */
  readonly from?: Profile;
  /** The most thorough profile that plans it; `deep` if absent. */
  readonly until?: Profile;
  /** Operations at which it is planned; all of the check if absent. */
  readonly at?: (operation: Operation) => boolean;
  /** Requests to a conforming service, those that the client repeats by itself aside; 1 if absent. */
  readonly times?: Count;
  /** Only an unexpected response calls for it, so that it has no part in the plan. */
  readonly followUp?: true;
}

/** Whether a run plans the step at an operation. */
export function isPlanned(
  { from, until = 'deep', at, followUp }: StepPlan,
  operation: Operation,
  profile: Profile,
): boolean {
  const isInProfile = includes(profile, from) && includes(until, profile);
  return followUp !== true && isInProfile && at?.(operation) !== false;
}

/** Requests that one attempt plans for a step at an operation. */
export function plannedRequests(step: StepPlan, operation: Operation, { profile, fuzzRuns }: Effort): number {
  if (!isPlanned(step, operation, profile)) return 0;
  const { times = 1 } = step;
  const count = typeof times === 'object' ? times[profile] : times;
  return typeof count === 'function' ? count(operation, fuzzRuns) : count;
}

/** The values that a run with this profile sends. */
export function chosen<V extends PlannedValue>(values: readonly V[], profile: Profile): readonly V[] {
  return values.filter(({ from }) => includes(profile, from));
}

/** The number of values for each profile. */
export function countByProfile(values: readonly PlannedValue[]): Readonly<Record<Profile, number>> {
  const count = (profile: Profile): number => chosen(values, profile).length;
  return { quick: count('quick'), standard: count('standard'), deep: count('deep') };
}
