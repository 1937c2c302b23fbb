import type { Report } from '../../harness/model/report.ts';

/** Why a run has no result although no case says so, such as an unreachable target; null where the cases say everything. */
export function runFault({ run, verdict, reasons, summary }: Report): string | null {
  if (run.unreachable !== undefined) return run.unreachable;
  if (run.interrupted) return 'the run was interrupted';
  if (verdict === 'error' && summary.error === 0) return reasons[0] ?? 'a defect of the harness';
  const { pass, fail, warn, error } = summary;
  return pass + fail + warn + error === 0 ? (reasons[0] ?? 'nothing was tested') : null;
}
