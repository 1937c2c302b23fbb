import type { Evaluation, Violation } from '../model/evaluation.ts';

/** A judgement of all violations found, or what is given for when there are none. */
export function violatedOr(violations: readonly Violation[], otherwise: () => Evaluation): Evaluation {
  const [first, ...others] = violations;
  return first === undefined ? otherwise() : { outcome: 'violated', violations: [first, ...others] };
}

/** The requirement was put to the test and held. */
export function pass(message: string): Evaluation {
  return { outcome: 'pass', message };
}

/** The exchanges do not tell; `remedy` says what would decide it. */
export function inconclusive(reason: string, remedy?: string): Evaluation {
  return remedy === undefined
    ? { outcome: 'inconclusive', reason }
    : { outcome: 'inconclusive', reason, remedy };
}
