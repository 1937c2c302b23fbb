import type { Operation } from '../../spec/operation.ts';
import { type Planned, type Profile, profileSettings, type Strength, sends, type Weight } from './profile.ts';

/** What the plan of a run depends on, besides its cases. */
export interface Effort {
  readonly profile: Profile;
  /** Random inputs for each parameter and each body. */
  readonly fuzzRuns: number;
}

/** A number of requests, which may depend on the operation, the random inputs that the user asks for, and the profile. */
export type Count = number | ((operation: Operation, fuzzRuns: number, profile: Profile) => number);

/** Where a run plans a step, and how many requests one attempt then sends. */
export interface StepPlan extends Planned {
  /** Operations at which it is planned; all of the check if absent. */
  readonly at?: (operation: Operation) => boolean;
  readonly weightAt?: (operation: Operation) => Weight;
  /** Planned only where this one is not. */
  readonly unless?: StepPlan;
  /** Requests to a conforming service, those that the client repeats by itself aside; 1 if absent. */
  readonly times?: Count;
  /** How many of these a run sends that samples; all if absent. */
  readonly strength?: Strength;
  /** Sent so often for each path parameter. */
  readonly perParameter?: true;
  /** Only an unexpected response calls for it, so that it has no part in the plan. */
  readonly followUp?: true;
}

export function isPlanned(step: StepPlan, operation: Operation, profile: Profile): boolean {
  const { weightAt, unless } = step;
  if (step.followUp === true || (unless !== undefined && isPlanned(unless, operation, profile))) return false;
  const planned = weightAt === undefined ? step : { ...step, weight: weightAt(operation) };
  return sends(profile, planned) && step.at?.(operation) !== false;
}

export function plannedRequests(step: StepPlan, operation: Operation, { profile, fuzzRuns }: Effort): number {
  if (!isPlanned(step, operation, profile)) return 0;
  const { times = 1, strength, perParameter } = step;
  const all = typeof times === 'function' ? times(operation, fuzzRuns, profile) : times;
  const count = strength === undefined ? all : profileSettings[profile].sends(all, strength);
  return perParameter === true ? count * operation.pathParameters.length : count;
}

export function chosen<V extends Planned>(values: readonly V[], profile: Profile): readonly V[] {
  return values.filter((value) => sends(profile, value));
}

/** Counts the values that a profile sends, which may depend on the operation. */
export function countByProfile(
  values: readonly Planned[] | ((operation: Operation) => readonly Planned[]),
): Count {
  return (operation, _fuzzRuns, profile) =>
    chosen(typeof values === 'function' ? values(operation) : values, profile).length;
}
