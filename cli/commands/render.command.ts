import { dirname, resolve } from 'node:path';
import type { Report } from '../../harness/model/report.ts';
import { UsageError } from '../../harness/usage-error.ts';
import type { ReportFormat } from '../../reporters/formats.ts';
import type { CommandFlags } from '../../spec/command-options.ts';
import type { CommandDefinition } from '../command-list.ts';
import { EndingSignals } from '../ending-signals.ts';
import { appendJobSummary } from '../github-actions.ts';
import { namedFormats } from '../options/chosen-formats.ts';
import { readReport, reportFile } from '../read-report.ts';
import { lockReportDir } from '../report-folder/lock-report-dir.ts';
import { prepareViews, renderWritten, writeViews } from '../report-folder/write-views.ts';
import { terminalOf } from '../terminal.ts';

/** `render`: makes any format of an earlier run's report. */
export const command: CommandDefinition = {
  after: `Examples:
  npx commerce-conformance render conformance-report/report.json --format junit,markdown
  npx commerce-conformance render conformance-report --format markdown --out -

The exit code tells whether the files were written, not the verdict.`,
  arguments: [['<report>', 'a report.json, or the folder that holds it']],
  run: render,
};

async function render(path: string, { format, out }: CommandFlags<'render'>): Promise<number> {
  const formats = namedFormats(format, '--format');
  const file = await reportFile(path);
  const report = await readReport(file);
  if (out === '-') {
    process.stdout.write(await onlyText(report, formats));
    return 0;
  }
  const folder = resolve(out ?? dirname(file));
  // The report that is read is never rewritten in its own folder.
  const views = out === undefined ? formats.filter(({ name }) => name !== 'json') : formats;
  const signals = new EndingSignals();
  const unlock = await lockReportDir(folder, '--out');
  const { written, whole } = await prepareViews(folder, views, '--out')
    .then(() => writeViews(folder, report, views))
    .finally(unlock)
    .finally(() => signals.release());
  process.stdout.write(renderWritten(written, terminalOf(process.stdout, true)));
  const summarised = await appendJobSummary(written);
  return whole && summarised ? 0 : 3;
}

async function onlyText(report: Report, formats: readonly ReportFormat[]): Promise<string> {
  const [format] = formats;
  if (formats.length === 1 && format?.files.length === 1) {
    const [file] = (await format.load())(report);
    if (file !== undefined) return file.text;
  }
  throw new UsageError({
    where: '--out -',
    what: 'only one format of one file can be written to standard output',
    remedy: 'name one such as junit or markdown, or a folder instead of -',
  });
}
