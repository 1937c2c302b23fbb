import type { Evaluation } from '../model/evaluation.ts';
import type { Exchange } from '../model/exchange.ts';
import { plannedRequests } from '../sampling/step-plan.ts';
import type { ActiveCheck, Evidence } from './check.ts';
import type { Steps } from './step.ts';

/** The exchanges of each step by its name, in the order in which they were sent. */
export type ExchangesByStep<S> = { readonly [Name in keyof S]: readonly Exchange[] };

/** What the evaluation of a check with steps sees. */
export interface StepEvidence<S> extends Evidence {
  readonly steps: ExchangesByStep<S>;
}

/** An active check whose probe is made of steps, from which the requests of the plan follow. */
export interface StepCheck<S extends Steps>
  extends Omit<ActiveCheck, 'kind' | 'steps' | 'requests' | 'evaluate'> {
  readonly steps: S;
  /** A pure function of the exchanges, which `steps` holds by step and `exchanges` in the order of sending. */
  readonly evaluate: (evidence: StepEvidence<S>) => Evaluation;
}

/** Builds an active check from steps. */
export function activeCheck<S extends Steps>(check: StepCheck<S>): ActiveCheck {
  const steps = Object.values(check.steps);
  return {
    ...check,
    kind: 'active',
    requests: (operation, fuzzRuns, profile = 'standard') =>
      sum(steps.map((step) => plannedRequests(step, operation, { fuzzRuns, profile }))),
    evaluate: (evidence) =>
      check.evaluate({ ...evidence, steps: exchangesByStep(check.steps, evidence.exchanges) }),
  };
}

/** Groups exchanges by the steps that sent them. */
export function exchangesByStep<S extends Steps>(
  steps: S,
  exchanges: readonly Exchange[],
): ExchangesByStep<S> {
  const names = Object.keys(steps);
  return Object.fromEntries(
    names.map((name) => [name, exchanges.filter(({ step }) => step === name)]),
  ) as unknown as ExchangesByStep<S>;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
