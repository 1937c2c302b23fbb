import picocolors from 'picocolors';
import type { QuestionableEntry, Report } from '../../harness/model/report.ts';
import { escapeText } from '../model/escape.ts';
import { firstOf, plural } from '../model/wording.ts';
import { wrapText } from './columns.ts';
import { paint } from './paint.ts';
import { layoutWidth, type TerminalOptions, whereToLook } from './terminal-options.ts';

const mostEntries = 10;

function entryText({ finding, requirement, operation, owner, why }: QuestionableEntry): string {
  const about = [requirement, operation].filter((part) => part !== undefined).join(' ');
  return escapeText(`${finding}${about === '' ? '' : `  ${about}`} (${owner}): ${why}`);
}

/** What the baseline makes of the run, and which of its entries need a hand; empty where none was given. */
export function renderGate(report: Report, options: TerminalOptions): string {
  const { baseline } = report;
  if (baseline === undefined) return '';
  const colours = picocolors.createColors(options.colour);
  const width = layoutWidth(options);
  const { passed, accepted, unaccepted, stale, expired, unknown, unjudged: untested } = baseline;
  const head = passed ? '✓ gate passed' : '✗ gate failed';
  const counts = [
    `${plural(accepted, 'finding')} accepted`,
    `${unaccepted.length === 0 ? 'none' : unaccepted.length} new`,
    ...(stale.length > 0 ? [plural(stale.length, 'stale entry', 'stale entries')] : []),
    ...(expired.length > 0 ? [plural(expired.length, 'expired entry', 'expired entries')] : []),
  ];
  const text = `${head}  ${counts.join(', ')} · baseline ${escapeText(baseline.file)}`;
  const [first = '', ...rest] = wrapText(text, width, '', '  ');
  const lines = [
    first.replace(head, () => paint(colours, passed ? 'good' : 'bad', colours.bold(head))),
    ...rest,
  ];
  if (unaccepted.length > 0)
    lines.push(
      ...wrapText(
        `new: ${firstOf(
          unaccepted.map((id) => escapeText(id)),
          12,
        )}`,
        width,
        '  ',
        '    ',
      ),
    );
  const groups: ReadonlyArray<readonly [heading: string, entries: readonly QuestionableEntry[]]> = [
    ['Stale: remove from the baseline', stale],
    ['Expired: fix what they accept, or agree on another day', expired],
    ['Unknown: correct or remove', unknown],
    ['Not tested in this run', untested],
  ];
  for (const [heading, entries] of groups) {
    if (entries.length === 0) continue;
    lines.push(...wrapText(`${heading}:`, width, '  '));
    for (const entry of entries.slice(0, mostEntries))
      lines.push(...wrapText(entryText(entry), width, '    ', '      '));
    if (entries.length > mostEntries)
      lines.push(`    ${entries.length - mostEntries} more: see ${escapeText(whereToLook(options))}`);
  }
  return `${lines.join('\n')}\n`;
}
