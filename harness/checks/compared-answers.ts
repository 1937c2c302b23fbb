import type { Violation } from '../model/evaluation.ts';
import type { Exchange } from '../model/exchange.ts';
import type { CollectiveCheck, Evidence } from './check.ts';
import { notApplicable, pass, violatedOr } from './outcomes.ts';

/** The text of a finding that depends on the wrong response. */
type Told = Partial<Violation> & Pick<Violation, 'exchange'>;

/** A rule for the responses of one operation, compared with those of all, with the text of its finding. */
interface ComparedAnswers
  extends Pick<CollectiveCheck, 'requirement' | 'title' | 'applies' | 'dedupeKey'>,
    Pick<Violation, 'statement'>,
    Partial<Pick<Violation, 'expected' | 'actual' | 'kind' | 'deviation' | 'company' | 'clause' | 'fix'>> {
  /** The wrong responses of the operation, the first of which is reported, or the reason why none can be identified. */
  readonly look: (mine: readonly Exchange[], evidence: Evidence) => ReadonlyArray<Exchange | Told> | string;
  /** The message if no response is wrong. */
  readonly passes: string;
}

/** Builds a check that compares the responses of a run, regardless of the checks that caused them. */
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
