import type { Report } from '../../model/report.ts';
import { comparabilityOf } from './comparability.ts';
import { diffCoverage } from './diff-coverage.ts';
import { diffFindings } from './diff-findings.ts';
import { diffShapes, isBreaking } from './diff-shapes.ts';
import type { BodyChange, DiffSide, ReportDiff } from './report-diff.ts';

/** The changes from an older report to a newer one. */
export function diffReports(before: Report, after: Report): ReportDiff {
  const { obstacles, notes, isExcluded, sendsLess } = comparabilityOf(before, after);
  const findings = diffFindings(before, after, sendsLess);
  const coverage = diffCoverage(before, after, isExcluded);
  const bodies = diffBodies(before, after);
  return {
    old: sideOf(before),
    new: sideOf(after),
    obstacles,
    notes,
    regressions:
      findings.newFailures.length +
      coverage.coverageLost.length +
      bodies.filter(({ breaking }) => breaking).length,
    ...findings,
    ...coverage,
    bodies,
  };
}

/** 1 if something got worse, 3 if that is unknown, otherwise 0. */
export function exitCodeOfDiff({ regressions, obstacles }: ReportDiff): 0 | 1 | 3 {
  if (regressions > 0) return 1;
  return obstacles.length > 0 ? 3 : 0;
}

function diffBodies(before: Report, after: Report): readonly BodyChange[] {
  const now = new Map(
    (after.shapes ?? []).map((entry) => [`${entry.operation} ${entry.status}`, entry.shape]),
  );
  return (before.shapes ?? []).flatMap(({ operation, status, shape }) => {
    const later = now.get(`${operation} ${status}`);
    if (later === undefined) return [];
    return diffShapes(shape, later).map((change) => ({
      operation,
      status,
      ...change,
      breaking: isBreaking(change),
    }));
  });
}

function sideOf({ target, run, harness, contract, verdict }: Report): DiffSide {
  return {
    baseUrl: target.baseUrl,
    startedAt: run.startedAt,
    harness: `${harness.name} ${harness.version}`,
    contract: contract.digest,
    verdict,
  };
}
