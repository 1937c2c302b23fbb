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

function fromFinding(result: CaseResult, finding: Finding): Violation {
  return {
    operation: result.operation,
    check: result.check,
    requirement: result.requirement,
    level: finding.level,
    headline: finding.headline ?? finding.message,
    message: finding.detail === undefined ? finding.message : `${finding.message}: ${finding.detail}`,
    expected: finding.expected,
    actual: finding.actual,
    finding,
  };
}

function fromResult(result: CaseResult): Violation {
  const { operation, check, requirement, level, message, expected, actual } = result;
  return {
    operation,
    check,
    requirement,
    level,
    headline: message,
    message,
    expected,
    actual,
    finding: null,
  };
}

/** Sorts findings into failures, warnings and notes, by the outcome of their case and by their level. */
export function violationsOf(report: Report): Violations {
  const failures: Violation[] = [];
  const warnings: Violation[] = [];
  const notes: Violation[] = [];
  const strict = report.run.options['strict'] === true;
  for (const result of report.results) {
    const found = result.findings.map((finding) => fromFinding(result, finding));
    if (result.outcome === 'fail') {
      const decisive = found.filter(({ level }) => level === 'must' || (strict && level === 'should'));
      // A failed case counts as a failure, whatever the level of its findings.
      failures.push(...(decisive.length > 0 ? decisive : found.length > 0 ? found : [fromResult(result)]));
      if (decisive.length > 0) {
        const rest = found.filter((violation) => !decisive.includes(violation));
        warnings.push(...rest.filter(({ level }) => level === 'should'));
        notes.push(...rest.filter(({ level }) => level === 'info'));
      }
    } else if (result.outcome === 'warn') {
      const decisive = found.filter(({ level }) => level !== 'info');
      warnings.push(...(decisive.length > 0 ? decisive : found.length > 0 ? found : [fromResult(result)]));
      if (decisive.length > 0) notes.push(...found.filter(({ level }) => level === 'info'));
    } else {
      notes.push(...found);
    }
  }
  return { failures, warnings, notes };
}
