import { inconclusive, type Judgement } from '../model/evaluation.ts';

/** The exchanges do not tell, and those of another try may: inconclusive, and worth trying again. */
export function undecided(reason: string, remedy?: string): Judgement {
  return { ...inconclusive(reason, remedy), transient: true } as Judgement;
}
