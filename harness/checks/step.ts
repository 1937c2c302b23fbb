import type { Operation } from '../../spec/contract.ts';
import type { ExchangeRole } from '../model/exchange.ts';
import type { Profile } from '../profile.ts';
import type { CallSpec } from '../requests/call-spec.ts';

/** A number of requests, which may depend on the operation, on the random inputs that the user asks for and on the profile. */
export type RequestCount = number | ((operation: Operation, fuzzRuns: number, profile: Profile) => number);

/** How often one attempt sends the request of a step. */
export interface StepLimits extends Pick<CallSpec, 'expects'> {
  /** Maximum per attempt, excluding requests that the client repeats by itself, as after a 429. Defaults to 1. */
  readonly most?: RequestCount;
  /** How many of these the budget keeps room for; defaults to `most`. 0 for what only an unexpected response calls for. */
  readonly reserved?: RequestCount;
  /** The valid call of another case cannot stand for it. */
  readonly isOwn?: true;
  /** Random inputs: sent as far as `client.randomInputs` grants them, so the budget keeps no room. */
  readonly isRandom?: true;
}

/** One kind of request of a probe, before it has a name. */
export interface UnnamedStep extends StepLimits {
  readonly role: ExchangeRole;
  /** What reports call the request, unless the call gives another label. */
  readonly label: string;
}

/** One kind of request of a probe: `client.call(step, changes)` sends it and records the name of the step. */
export interface Step extends UnnamedStep, Pick<CallSpec, 'role' | 'label'> {
  readonly step: string;
}

/** The steps of a probe by name. */
export type Steps = Readonly<Record<string, Step>>;

/** Names the steps of a probe: `const steps = namedSteps({ valid: control('valid call'), … })`. */
export function namedSteps<Name extends string>(
  unnamed: Readonly<Record<Name, UnnamedStep>>,
): Readonly<Record<Name, Step>> {
  const named = Object.entries<UnnamedStep>(unnamed).map(([step, rest]) => [step, { ...rest, step }]);
  return Object.fromEntries(named) as Record<Name, Step>;
}

/** The unchanged valid request. */
export function control(label: string, limits: StepLimits = {}): UnnamedStep {
  return { role: 'control', label, ...limits };
}

/** A request with one thing changed. */
export function probe(label: string, limits: StepLimits = {}): UnnamedStep {
  return { role: 'probe', label, ...limits };
}

/** A request that shows what the evaluation needs to know about the target. */
export function witness(label: string, limits: StepLimits = {}): UnnamedStep {
  return { role: 'witness', label, ...limits };
}

/** Smaller forms of a probe that was answered wrongly, sent while the budget has room. */
export function reduction(label: string, most: RequestCount): UnnamedStep {
  return { role: 'reduction', label, most, reserved: 0 };
}

/** A request that removes what the probe created. */
export function cleanup(label: string, limits: StepLimits = {}): UnnamedStep {
  return { role: 'cleanup', label, ...limits };
}

/** One request, and none in the profile `quick`. */
export function beyondQuick(_operation: Operation, _fuzzRuns: number, profile: Profile): number {
  return profile === 'quick' ? 0 : 1;
}

/** The number for an operation; 1 where a step gives none. */
export function countOf(
  count: RequestCount = 1,
  operation: Operation,
  fuzzRuns: number,
  profile: Profile = 'standard',
): number {
  return typeof count === 'number' ? count : count(operation, fuzzRuns, profile);
}
