import type { ReportDiff } from '../../harness/results/diff/report-diff.ts';
import { diffSections, diffVerdict } from '../blocks/diff-sections.ts';
import { say } from '../blocks/text.ts';
import { layoutOf, type TerminalOptions } from './layout.ts';

const mostEntries = 12;
const mostDetails = 8;

/** The changes between two reports for a terminal, the gravest first and the sum of it last. */
export function renderDiff(diff: ReportDiff, options: TerminalOptions): string {
  const { colours, wrap, heading } = layoutOf(options);
  const { mark, summary, sides } = diffVerdict(diff);
  const lines = sides.flatMap((side) => wrap(side, 0).map(colours.dim));
  for (const section of diffSections(diff)) {
    lines.push('', ...heading(section.tone, section.heading));
    for (const { title, details } of section.blocks.slice(0, mostEntries)) {
      const more = details.length - mostDetails;
      const shown = [...details.slice(0, mostDetails), ...(more > 0 ? [say`and ${more} more`] : [])];
      lines.push(...wrap(title, 2), ...shown.flatMap((detail) => wrap(detail, 4).map(colours.dim)));
    }
    const more = section.blocks.length - mostEntries;
    if (more > 0) lines.push(colours.dim(`  and ${more} more: --format json has all`));
  }
  return `${[...lines, '', ...heading(mark.tone, [`${mark.sign} ${summary}`])].join('\n')}\n`;
}
