import type { CaseResult, CoverageEntry, Finding, Outcome } from '../../model/report.ts';
import type { ShapeChange } from './diff-shapes.ts';

/** Identifies one of the two reports. */
interface DiffSide {
  readonly baseUrl: string;
  readonly startedAt: string;
  readonly harness: string;
  readonly contract: string;
  readonly verdict: string;
}

type CaseOf = Pick<CaseResult, 'operation' | 'check' | 'requirement'>;

/** A finding that came, went or stayed. */
export interface FindingChange extends CaseOf, Pick<CaseResult, 'level' | 'message' | 'expected' | 'actual'> {
  /** Null if a failed case has no findings. */
  readonly finding: Finding['id'] | null;
  /** The outcome of the case in the other report. */
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

/** The differences between two reports. */
export interface ReportDiff {
  readonly old: DiffSide;
  readonly new: DiffSide;
  /** Why the two cannot be compared, or not in all; empty where they can. */
  readonly obstacles: readonly string[];
  /** Other differences between the runs. */
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
