import type { ReportDiff } from '../../harness/results/diff/report-diff.ts';
import { diffSections, diffVerdict } from '../blocks/diff-sections.ts';
import { listEntry, markdown } from './render-markdown.ts';

/** The changes between two reports as Markdown; whatever a target may have said is prose without a meaning, or code. */
export function diffMarkdown(diff: ReportDiff): string {
  const { mark, summary, sides } = diffVerdict(diff);
  const sections = diffSections(diff).map(({ heading, blocks }) => [
    `### ${markdown(heading)}`,
    blocks.map(({ title, details }) => listEntry(title, details)).join('\n'),
  ]);
  const lines = [`## ${mark.sign} ${summary}`, sides.map((side) => `- ${markdown(side)}`).join('\n')];
  return `${[...lines, ...sections.flat()].join('\n\n')}\n`;
}
