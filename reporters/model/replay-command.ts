import type { Finding, Report } from '../../harness/model/report.ts';
import { escapeText } from './escape.ts';

/** Where the reader of a report stands. */
export interface Place {
  /** The path of report.json from the working folder; by default the report folder that the run was given. */
  readonly reportPath?: string | undefined;
  /** The target file, for a report that does not name it. */
  readonly targetFile?: string | undefined;
}

/** A command that repeats a finding, ready to be pasted. */
export function replayCommand(
  { run, target }: Report,
  { id }: Pick<Finding, 'id'>,
  { reportPath, targetFile }: Place = {},
): string {
  const { reportDir } = run.options;
  const path = reportPath ?? (typeof reportDir === 'string' ? reportDir : undefined);
  return [
    'npx commerce-conformance replay',
    id,
    ...(path === undefined || path === 'conformance-report/report.json' ? [] : ['--report', quoted(path)]),
    ...(targetFile === undefined || target.file !== undefined ? [] : ['--target', quoted(targetFile)]),
  ].join(' ');
}

/** One line that shows a finding again: curl, or for a sequence the script of all its steps. */
export function reproductionLine(report: Report, finding: Finding, place?: Place): string {
  const { steps = [], reproduction } = finding;
  return steps.length > 1 ? `${replayCommand(report, finding, place)} --script | sh` : reproduction;
}

/** An argument for a POSIX shell. */
export function quoted(text: string): string {
  const safe = escapeText(text, 1_000);
  return /^[\w./:@-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", "'\\''")}'`;
}
