import type { ReportDiff } from '../../harness/gate/report-diff.ts';
import { escapeText } from '../terminal/escape.ts';
import { diffSections, diffSummary } from './diff-sections.ts';

const mostDetails = 50;

/** The changes between two reports as Markdown; whatever a target may have said stands in code spans, where nothing is markup. */
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
    ).map(([name, side]) => `- ${name}: ${codeSpan(side.baseUrl)}, ${side.startedAt}, ${side.verdict}`),
  ];
  for (const { title, entries } of diffSections(diff, codeSpan)) {
    lines.push('', `### ${title}`, '');
    for (const { text, details } of entries) {
      lines.push(`- ${text}`, ...details.slice(0, mostDetails).map((detail) => `  - ${detail}`));
      if (details.length > mostDetails) lines.push(`  - … and ${details.length - mostDetails} more`);
    }
  }
  return `${lines.join('\n')}\n`;
}

function codeSpan(text: string): string {
  const shown = escapeText(text);
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  // A span that starts or ends with a space or a tick needs a space on both sides, which is not shown.
  const pad = /^[ `]|[ `]$/.test(shown) || shown === '' ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}
