import type { ExchangeRole } from '../model/exchange.ts';
import type { CallSpec } from '../requests/call-spec.ts';
import type { StepPlan } from '../sampling/step-plan.ts';

export interface StepOptions extends Pick<CallSpec, 'expects' | 'isCrowded' | 'isOwn'>, StepPlan {}

/** One kind of request of a probe, before it has a name. */
export interface UnnamedStep extends StepOptions, Pick<CallSpec, 'role' | 'label'> {}

/** One kind of request of a probe: `client.call(step, changes)` sends it and records the name of the step. */
export interface Step extends UnnamedStep {
  readonly step: string;
}

export type Steps = Readonly<Record<string, Step>>;

export type NamedSteps<S> = { readonly [Name in keyof S]: S[Name] & Step };

/** Names the steps of a probe: `namedSteps({ valid: control('valid call'), … })`. */
export function namedSteps<S extends Readonly<Record<string, UnnamedStep>>>(unnamed: S): NamedSteps<S> {
  const named = Object.entries(unnamed).map(([step, rest]) => [step, { ...rest, step }]);
  return Object.fromEntries(named) as NamedSteps<S>;
}

type StepOf = (label: string, options?: StepOptions) => UnnamedStep;

function stepOf(role: ExchangeRole): StepOf {
  return (label, options = {}) => ({ role, label, ...options });
}

/** The unchanged valid request. */
export const control: StepOf = stepOf('control');
/** A request with one thing changed. */
export const probe: StepOf = stepOf('probe');
/** A request that shows a fact about the target that the evaluation needs. */
export const witness: StepOf = stepOf('witness');
/** A request that removes resources that the probe created. */
export const cleanup: StepOf = stepOf('cleanup');

/** A smaller form of a probe that was answered wrongly. */
export function reduction(label: string): UnnamedStep {
  return { role: 'reduction', label, followUp: true };
}
