import type { Violation } from '../model/evaluation.ts';
import type { Exchange } from '../model/exchange.ts';
import type { CollectiveCheck, Evidence } from './check.ts';
import { notApplicable, pass, violatedOr } from './outcomes.ts';

/** A rule of the answers of one operation in view of those of all. */
interface ComparedAnswers extends Pick<CollectiveCheck, 'requirement' | 'title' | 'applies' | 'dedupeKey'> {
  /** What is wrong with answers of the operation, of which the first is reported, or why nothing can be told. */
  readonly look: (mine: readonly Exchange[], evidence: Evidence) => readonly Violation[] | string;
  /** What holds where no answer is wrong. */
  readonly passes: string;
}

/** Builds a check that compares the answers of a run, whichever check caused them. */
export function comparedAnswers({ look, passes, ...rest }: ComparedAnswers): CollectiveCheck {
  return {
    ...rest,
    kind: 'collective',
    evaluate: (evidence) => {
      const mine = evidence.exchanges.filter((one) => one.operation === evidence.operation.id);
      const found = look(mine, evidence);
      return typeof found === 'string'
        ? notApplicable(found)
        : violatedOr(found.slice(0, 1), () => pass(passes));
    },
  };
}
