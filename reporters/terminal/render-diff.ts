import type { ReportDiff } from '../../harness/results/diff/diff-reports.ts';
import { firstLines, say } from '../blocks/block.ts';
import { diffSections, diffVerdict } from '../blocks/diff-sections.ts';
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
      const shown = firstLines(details, mostDetails, (more) => say`and ${more} more`);
      lines.push(...wrap(title, 2), ...shown.flatMap((detail) => wrap(detail, 4).map(colours.dim)));
    }
    if (section.blocks.length > mostEntries)
      lines.push(colours.dim(`  and ${section.rest(mostEntries)}: --format json has all`));
  }
  return `${[...lines, '', ...heading(mark.tone, [`${mark.sign} ${summary}`])].join('\n')}\n`;
}
