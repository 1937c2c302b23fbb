import type { CaseResult, Finding, Report } from '../../harness/model/report.ts';
import { allFindings, type WeighedFinding } from '../../harness/results/findings-by-level.ts';

/** A finding, or a failed case without one, which must be reported as well. */
export interface Violation
  extends Pick<
    CaseResult,
    'operation' | 'check' | 'requirement' | 'level' | 'message' | 'expected' | 'actual'
  > {
  /** The defect. */
  readonly headline: string;
  readonly finding: Finding | null;
}

/** All violations of a run by their effect on the verdict. */
export type Violations = Readonly<Record<'failures' | 'warnings' | 'notes', readonly Violation[]>>;

/** A violation with its finding, or the case alone. */
function violationOf({ result, finding }: Pick<WeighedFinding, 'result' | 'finding'>): Violation {
  const { operation, check, requirement } = result;
  const { level, message, expected, actual } = finding ?? result;
  const { detail } = finding ?? {};
  // One colon in a sentence.
  const mark = message.includes(': ') || detail?.startsWith('also ') === true ? ';' : ':';
  const headline = finding?.headline ?? message;
  return {
    ...{ operation, check, requirement, level, headline },
    ...{ message: detail === undefined ? message : `${message}${mark} ${detail}`, expected, actual, finding },
  };
}

/** Sorts findings into failures, warnings and notes, by the outcome of their case and by their level. */
export function violationsOf(report: Report): Violations {
  const all = allFindings(report);
  const of = (weight: string): Violation[] => all.filter((one) => one.weight === weight).map(violationOf);
  return { failures: of('fail'), warnings: of('warn'), notes: of('note') };
}
