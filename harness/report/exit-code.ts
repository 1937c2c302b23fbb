import type { Report } from './report.ts';

/** What the process says to a script; section 4 of the design lists the meanings. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 130;

/** The exit code that a report stands for; a run that judged nothing is never 0. */
export function exitCodeOf(
  report: Pick<Report, 'verdict' | 'complete' | 'summary' | 'run' | 'baseline'>,
  certify: boolean,
): ExitCode {
  if (report.run.interrupted) return 130;
  const { baseline } = report;
  if (baseline === undefined ? report.verdict === 'non-conformant' : !baseline.passed) return 1;
  // Accepted failures must not hide that the harness itself failed.
  if (report.verdict === 'error' || report.summary.error > 0 || report.run.defect !== undefined) return 4;
  if (report.run.unreachable !== undefined) return 3;
  const { pass, fail, warn } = report.summary;
  // What one shard could not judge, others may have.
  if (pass + fail + warn === 0 && report.run.shard === undefined) return 3;
  return certify && !report.complete ? 3 : 0;
}
