import type { Finding, Report } from '../../harness/model/report.ts';
import { escapeText } from './wording.ts';

/** The paths for the commands that a report prints. */
export interface Place {
  /** The path of report.json from the working folder; by default the report folder that the run was given. */
  readonly reportPath?: string | undefined;
  /** The target file, for a report that does not name it. */
  readonly targetFile?: string | undefined;
}

/** A command that repeats a finding, ready to be pasted. */
export function replayCommand(report: Report, { id }: Pick<Finding, 'id'>, place: Place = {}): string {
  const { run, target } = report;
  const { reportPath, targetFile } = place;
  const { reportDir } = run.options;
  const path = reportPath ?? (typeof reportDir === 'string' ? reportDir : undefined);
  return [
    'npx commerce-conformance replay',
    id,
    ...(path === undefined || path === 'conformance-report/report.json' ? [] : ['--report', quoted(path)]),
    ...(targetFile === undefined || target.file !== undefined ? [] : ['--target', quoted(targetFile)]),
  ].join(' ');
}

/** One line that shows a finding again: curl, or a replay of all its calls where one alone does not show it. */
export function reproductionLine(report: Report, finding: Finding, place?: Place): string {
  const { steps = [], reproduction } = finding;
  if (needsOthers(finding)) return replayCommand(report, finding, place);
  return steps.length > 1 ? `${replayCommand(report, finding, place)} --script | sh` : reproduction;
}

/** Whether calls that are sent one after the other do not show it, as it takes others under way, or comes and goes. */
export function needsOthers({ company, seen, steps = [] }: Finding): boolean {
  return / under way$/.test(company ?? '') || (seen.times < seen.of && steps.length < 2);
}

/** An argument for a POSIX shell. */
export function quoted(text: string): string {
  const safe = escapeText(text, 1_000);
  return /^[\w./:@-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", "'\\''")}'`;
}
