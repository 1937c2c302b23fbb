import type { Report } from './report.ts';

/** What the process says to a script; section 4 of the design lists the meanings. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 130;

/** The exit code that a report stands for; a run that judged nothing is never 0. */
export function exitCodeOf(
  report: Pick<Report, 'verdict' | 'complete' | 'summary' | 'run'>,
  certify: boolean,
): ExitCode {
  if (report.run.interrupted) return 130;
  if (report.verdict === 'non-conformant') return 1;
  if (report.verdict === 'error') return 4;
  if (report.run.unreachable !== undefined) return 3;
  const { pass, fail, warn } = report.summary;
  if (pass + fail + warn === 0) return 3;
  return certify && !report.complete ? 3 : 0;
}
