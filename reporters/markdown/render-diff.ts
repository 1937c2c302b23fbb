import type { ReportDiff } from '../../harness/results/report-diff.ts';
import { diffSections, diffSummary } from '../model/diff-sections.ts';
import { inline } from './inline.ts';

const mostDetails = 50;

/** The changes between two reports as Markdown; whatever a target may have said is prose without a meaning, or code. */
export function diffMarkdown(diff: ReportDiff): string {
  const sign = diff.regressions > 0 ? '❌' : diff.obstacles.length > 0 ? '❔' : '✅';
  const lines = [
    `## ${sign} ${diffSummary(diff)}`,
    '',
    ...(
      [
        ['old', diff.old],
        ['new', diff.new],
      ] as const
    ).map(([name, side]) => `- ${name}: ${inline(side.baseUrl)}, ${side.startedAt}, ${side.verdict}`),
  ];
  for (const { title, entries } of diffSections(diff, inline)) {
    lines.push('', `### ${title}`, '');
    for (const { text, details } of entries) {
      lines.push(`- ${text}`, ...details.slice(0, mostDetails).map((detail) => `  - ${detail}`));
      if (details.length > mostDetails) lines.push(`  - … and ${details.length - mostDetails} more`);
    }
  }
  return `${lines.join('\n')}\n`;
}
