import picocolors from 'picocolors';
import type { ReportDiff } from '../../harness/results/report-diff.ts';
import { diffSections, diffSummary } from '../model/diff-sections.ts';
import { escapeText } from '../model/escape.ts';
import type { Tone } from '../model/marks.ts';
import { wrapText } from './columns.ts';
import { paint } from './paint.ts';
import { layoutWidth, type TerminalOptions } from './terminal-options.ts';

const mostEntries = 12;
const mostDetails = 8;

/** The changes between two reports for a terminal, the gravest first and the sum of it last. */
export function renderDiff(diff: ReportDiff, options: TerminalOptions): string {
  const colours = picocolors.createColors(options.colour);
  const width = layoutWidth(options);
  const lines: string[] = [];
  for (const [name, side] of [
    ['old', diff.old],
    ['new', diff.new],
  ] as const) {
    const text = `${name}  ${side.startedAt}  ${escapeText(side.baseUrl)}  ${side.verdict}`;
    lines.push(...wrapText(text, width, '', '     ').map(colours.dim));
  }
  for (const { title, tone, entries } of diffSections(diff, escapeText)) {
    lines.push('', paint(colours, tone, colours.bold(title)));
    for (const { text, details } of entries.slice(0, mostEntries)) {
      lines.push(...wrapText(text, width, '  ', '    '));
      for (const detail of details.slice(0, mostDetails))
        lines.push(...wrapText(detail, width, '    ', '      ').map(colours.dim));
      if (details.length > mostDetails)
        lines.push(colours.dim(`    and ${details.length - mostDetails} more`));
    }
    if (entries.length > mostEntries)
      lines.push(colours.dim(`  and ${entries.length - mostEntries} more: --format json has all`));
  }
  const [sign, tone]: readonly [string, Tone] =
    diff.regressions > 0 ? ['✗', 'bad'] : diff.obstacles.length > 0 ? ['?', 'open'] : ['✓', 'good'];
  lines.push('', paint(colours, tone, colours.bold(`${sign} ${diffSummary(diff)}`)));
  return `${lines.join('\n')}\n`;
}
