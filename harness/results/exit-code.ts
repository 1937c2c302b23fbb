import type { Report, Summary } from '../model/report.ts';

/** The exit codes of the process; the README lists their meanings. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 130;

/** The exit code of a report; a run that tested nothing never gets 0. */
export function exitCodeOf(
  report: Pick<Report, 'verdict' | 'complete' | 'summary' | 'run' | 'baseline' | 'additional'>,
  certify: boolean,
): ExitCode {
  if (report.run.interrupted) return 130;
  const { baseline } = report;
  if (baseline === undefined ? report.verdict === 'non-conformant' : !baseline.passed) return 1;
  // Accepted failures must not hide that the harness itself failed.
  if (report.verdict === 'error' || report.summary.error > 0 || report.run.defect !== undefined) return 4;
  if (report.run.unreachable !== undefined || report.run.keysRefused !== undefined) return 3;
  const own = report.additional?.summary;
  // Another shard may have tested the missing cases.
  if (evaluated(report.summary) === 0 && report.run.shard === undefined) {
    // Checks of the user never make up for ours, unless nothing but them was asked for.
    const isOwnAlone = Object.values(report.summary).every((count) => count === 0);
    if (!isOwnAlone || own === undefined || evaluated(own) + own.error === 0) return 3;
  }
  if (own !== undefined && own.fail > 0) return 1;
  if (own !== undefined && own.error > 0) return 4;
  // One shard never tests all; merging them is what the flag is for.
  const gated = certify || (report.run.options['failIncomplete'] === true && report.run.shard === undefined);
  return gated && !report.complete ? 3 : 0;
}

function evaluated({ pass, fail, warn }: Summary): number {
  return pass + fail + warn;
}
