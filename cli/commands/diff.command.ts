import { printableJson } from '../../harness/printable-json.ts';
import { diffReports, exitCodeOfDiff, type ReportDiff } from '../../harness/results/diff/diff-reports.ts';
import { diffMarkdown } from '../../reporters/markdown/render-markdown.ts';
import { renderDiff } from '../../reporters/terminal/render-report.ts';
import type { CommandFlags } from '../../spec/command-options.ts';
import type { commonOptions, Flags } from '../../spec/options.ts';
import type { CommandDefinition } from '../command-list.ts';
import { readReport } from '../read-report.ts';
import { terminalOf } from '../terminal.ts';

/** `diff`: the changes between two reports, with regressions first. */
type DiffFlags = CommandFlags<'diff'> & Flags<typeof commonOptions>;

export const command: CommandDefinition = {
  after: `Exit codes: 0 no regression, 1 regressions, 2 a report cannot be read, 3 no regression found but not all could be compared.

Example:
  npx commerce-conformance diff released/report.json conformance-report/report.json`,
  arguments: [
    ['<old>', 'report of the current release: a report.json, or the folder that holds it'],
    ['<new>', 'report of the next release'],
  ],
  run: async (old: string, newer: string, flags: DiffFlags) => {
    const diff = diffReports(await readReport(old), await readReport(newer));
    process.stdout.write(textOf(diff, flags));
    return exitCodeOfDiff(diff);
  },
};

function textOf(diff: ReportDiff, { format, color }: DiffFlags): string {
  switch (format) {
    case 'json':
      return `${printableJson(diff, 2)}\n`;
    case 'markdown':
      return diffMarkdown(diff);
    case 'terminal':
      return renderDiff(diff, terminalOf(process.stdout, color !== false));
  }
}
