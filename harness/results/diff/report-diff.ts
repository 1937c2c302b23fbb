import type { CaseResult, CoverageEntry, Finding, Outcome } from '../../model/report.ts';
import type { ShapeChange } from './diff-shapes.ts';

/** One of the two reports, as far as a reader must know which it was. */
export interface DiffSide {
  readonly baseUrl: string;
  readonly startedAt: string;
  readonly harness: string;
  readonly contract: string;
  readonly verdict: string;
}

/** What names a case. */
type CaseOf = Pick<CaseResult, 'operation' | 'check' | 'requirement'>;

/** A finding that came, went or stayed. */
export interface FindingChange extends CaseOf, Pick<CaseResult, 'level' | 'message' | 'expected' | 'actual'> {
  /** Null where a failed case names none. */
  readonly finding: Finding['id'] | null;
  /** What came of the case in the other report. */
  readonly otherwise: Outcome | 'absent';
}

/** A case that only one of the reports tested. */
export interface CaseChange extends CaseOf {
  readonly before: Outcome | 'absent';
  readonly after: Outcome | 'absent';
  /** Why the other report did not test it. */
  readonly why: string;
}

/** A documented status that only one of the runs saw. */
export type StatusChange = Pick<CoverageEntry, 'operation' | 'status'>;

/** A change of the bodies with which an operation answers a status. */
export interface BodyChange extends ShapeChange, StatusChange {
  readonly breaking: boolean;
}

/** What changed from one report to another. */
export interface ReportDiff {
  readonly old: DiffSide;
  readonly new: DiffSide;
  /** Why the two cannot be compared, or not in all; empty where they can. */
  readonly obstacles: readonly string[];
  /** What else differs in the circumstances. */
  readonly notes: readonly string[];
  /** Number of changes for the worse. */
  readonly regressions: number;
  readonly newFailures: readonly FindingChange[];
  readonly fixed: readonly FindingChange[];
  readonly stillFailing: readonly FindingChange[];
  readonly newWarnings: readonly FindingChange[];
  readonly fixedWarnings: readonly FindingChange[];
  readonly coverageLost: readonly CaseChange[];
  readonly coverageGained: readonly CaseChange[];
  readonly statusesLost: readonly StatusChange[];
  readonly statusesGained: readonly StatusChange[];
  readonly bodies: readonly BodyChange[];
}
