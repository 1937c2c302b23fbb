import type { Operation } from '../../spec/operation.ts';
import { isWithin, type Profile, type ProfileRange } from './profile.ts';

/** What the plan of a run depends on, besides its cases. */
export interface Effort {
  readonly profile: Profile;
  /** Random inputs for each parameter and each body. */
  readonly fuzzRuns: number;
}

/** A number that may depend on the operation and on the random inputs that the user asks for. */
type CountAt = number | ((operation: Operation, fuzzRuns: number) => number);

/** A number of requests, which may differ by profile. */
export type Count = CountAt | Readonly<Record<Profile, CountAt>>;

/** Where a run plans a step, and how many requests one attempt then sends. */
export interface StepPlan extends ProfileRange {
  /** Operations at which it is planned; all of the check if absent. */
  readonly at?: (operation: Operation) => boolean;
  /** Requests to a conforming service, those that the client repeats by itself aside; 1 if absent. */
  readonly times?: Count;
  /** Only an unexpected response calls for it, so that it has no part in the plan. */
  readonly followUp?: true;
}

/** Whether a run plans the step at an operation. */
export function isPlanned(step: StepPlan, operation: Operation, profile: Profile): boolean {
  return step.followUp !== true && isWithin(step, profile) && step.at?.(operation) !== false;
}

/** Requests that one attempt plans for a step at an operation. */
export function plannedRequests(step: StepPlan, operation: Operation, { profile, fuzzRuns }: Effort): number {
  if (!isPlanned(step, operation, profile)) return 0;
  const { times = 1 } = step;
  const count = typeof times === 'object' ? times[profile] : times;
  return typeof count === 'function' ? count(operation, fuzzRuns) : count;
}

/** The values that a run with this profile sends. */
export function chosen<V extends ProfileRange>(values: readonly V[], profile: Profile): readonly V[] {
  return values.filter((value) => isWithin(value, profile));
}

/** The number of values for each profile. */
export function countByProfile(values: readonly ProfileRange[]): Readonly<Record<Profile, number>> {
  const count = (profile: Profile): number => chosen(values, profile).length;
  return { quick: count('quick'), standard: count('standard'), deep: count('deep') };
}
