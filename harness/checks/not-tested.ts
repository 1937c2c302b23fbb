import type { Evaluation } from '../model/evaluation.ts';
import { inconclusive } from './outcomes.ts';

/** The exchanges do not tell, and those of another try may: inconclusive, and worth trying again. */
export function notTested(reason: string, remedy?: string): Evaluation {
  return { ...inconclusive(reason, remedy), transient: true } as Evaluation;
}
