import type { CaseResult, Finding, Level, Report } from '../../harness/model/report.ts';

/** A finding, or a failed case without one, which must be reported as well. */
export interface Violation {
  readonly operation: string;
  readonly check: string;
  readonly requirement: string;
  readonly level: Level;
  /** The defect. */
  readonly headline: string;
  /** The violated statement. */
  readonly message: string;
  readonly expected: string | null;
  readonly actual: string | null;
  readonly finding: Finding | null;
}

/** All violations of a run by their effect on the verdict. */
export interface Violations {
  readonly failures: readonly Violation[];
  readonly warnings: readonly Violation[];
  readonly notes: readonly Violation[];
}

/** A violation with what a finding says of it, or the case alone. */
function violationOf(result: CaseResult, finding: Finding | null): Violation {
  const { operation, check, requirement } = result;
  const { level, message, expected, actual } = finding ?? result;
  const detail = finding?.detail === undefined ? '' : `: ${finding.detail}`;
  const headline = finding?.headline ?? message;
  return {
    ...{ operation, check, requirement, level, headline },
    ...{ message: message + detail, expected, actual, finding },
  };
}

/** Sorts findings into failures, warnings and notes, by the outcome of their case and by their level. */
export function violationsOf(report: Report): Violations {
  const found = { failures: [] as Violation[], warnings: [] as Violation[], notes: [] as Violation[] };
  const strict = report.run.options['strict'] === true;
  for (const result of report.results) {
    const { outcome, findings } = result;
    const violations = findings.map((finding) => violationOf(result, finding));
    if (outcome !== 'fail' && outcome !== 'warn') {
      found.notes.push(...violations);
      continue;
    }
    const decides = ({ level }: Violation): boolean =>
      outcome === 'warn' ? level !== 'info' : level === 'must' || (strict && level === 'should');
    const decisive = violations.filter(decides);
    const all = violations.length > 0 ? violations : [violationOf(result, null)];
    // A failed case counts as a failure, whatever the level of its findings.
    found[outcome === 'fail' ? 'failures' : 'warnings'].push(...(decisive.length > 0 ? decisive : all));
    const rest = decisive.length > 0 ? violations.filter((violation) => !decides(violation)) : [];
    found.warnings.push(...rest.filter(({ level }) => level === 'should'));
    found.notes.push(...rest.filter(({ level }) => level === 'info'));
  }
  return found;
}
