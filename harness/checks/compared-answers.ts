import type { Violation } from '../model/evaluation.ts';
import type { Exchange } from '../model/exchange.ts';
import type { CollectiveCheck, Evidence } from './check.ts';
import { notApplicable, pass, violatedOr } from './outcomes.ts';

/** What a finding says of a wrong answer beside what it says of all. */
type Told = Partial<Violation> & Pick<Violation, 'exchange'>;

/** A rule of the answers of one operation in view of those of all, with what a finding says of a wrong one. */
interface ComparedAnswers
  extends Pick<CollectiveCheck, 'requirement' | 'title' | 'applies' | 'dedupeKey'>,
    Pick<Violation, 'statement'>,
    Partial<Pick<Violation, 'expected' | 'actual' | 'kind' | 'deviation' | 'company' | 'clause' | 'fix'>> {
  /** The wrong answers of the operation, of which the first is reported, or why nothing can be told. */
  readonly look: (mine: readonly Exchange[], evidence: Evidence) => ReadonlyArray<Exchange | Told> | string;
  /** What holds where no answer is wrong. */
  readonly passes: string;
}

/** Builds a check that compares the answers of a run, whichever check caused them. */
export function comparedAnswers(rule: ComparedAnswers): CollectiveCheck {
  const { requirement, title, applies, dedupeKey, look, passes, ...told } = rule;
  return {
    ...{ requirement, title, applies, dedupeKey, kind: 'collective' },
    evaluate: (evidence) => {
      const mine = evidence.exchanges.filter((one) => one.operation === evidence.operation.id);
      const found = look(mine, evidence);
      if (typeof found === 'string') return notApplicable(found);
      const violations = found.slice(0, 1).map((one) => ({
        expected: '',
        actual: '',
        ...told,
        ...('exchange' in one ? one : { exchange: one }),
      }));
      return violatedOr(violations, () => pass(passes));
    },
  };
}
