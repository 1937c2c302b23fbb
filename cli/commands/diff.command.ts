import { type Command, Option } from 'commander';
import { printableJson } from '../../harness/printable-json.ts';
import { diffReports, exitCodeOfDiff } from '../../harness/results/diff-reports.ts';
import type { ReportDiff } from '../../harness/results/report-diff.ts';
import { diffMarkdown } from '../../reporters/markdown/render-diff.ts';
import { renderDiff } from '../../reporters/terminal/render-diff.ts';
import { readReport } from '../read-report.ts';
import type { SetExitCode } from '../set-exit-code.ts';
import { terminalOf } from '../terminal.ts';

interface DiffFlags {
  readonly format: 'terminal' | 'json' | 'markdown';
  readonly color: boolean;
}

/** `diff`: what changed between two reports, for the worse or not. */
export function addDiffCommand(command: Command, setExitCode: SetExitCode): void {
  command
    .argument('<old>', 'report of the current release: a report.json, or the folder that holds it')
    .argument('<new>', 'report of the next release')
    .addOption(
      new Option('--format <format>', 'output format')
        .choices(['terminal', 'json', 'markdown'])
        .default('terminal'),
    )
    .addHelpText(
      'after',
      `
Exit codes: 0 no regression, 1 regressions, 2 a report cannot be read, 3 no regression found but not all could be compared.

Example:
  npx commerce-conformance diff released/report.json conformance-report/report.json`,
    )
    .action(async (old: string, newer: string, flags: DiffFlags) => {
      const diff = diffReports(await readReport(old), await readReport(newer));
      process.stdout.write(textOf(diff, flags));
      setExitCode(exitCodeOfDiff(diff));
    });
}

function textOf(diff: ReportDiff, { format, color }: DiffFlags): string {
  switch (format) {
    case 'json':
      return `${printableJson(diff, 2)}\n`;
    case 'markdown':
      return diffMarkdown(diff);
    case 'terminal':
      return renderDiff(diff, terminalOf(process.stdout, color));
  }
}
