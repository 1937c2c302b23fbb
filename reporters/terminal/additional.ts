import picocolors from 'picocolors';
import type { Report } from '../../harness/model/report.ts';
import { type AdditionalEntry, additionalView } from '../model/additional.ts';
import { escapeText } from '../model/escape.ts';
import type { Tone } from '../model/marks.ts';
import { wrapText } from './columns.ts';
import { paint } from './paint.ts';
import { layoutWidth, type TerminalOptions, whereToLook } from './terminal-options.ts';

const most = 10;
const longestShellLine = 20_000;

const tones: Readonly<Record<AdditionalEntry['says'], Tone>> = {
  fails: 'bad',
  'failed to run': 'bad',
  warns: 'doubt',
  'not tested': 'muted',
  noted: 'muted',
};

/** Results of custom checks; empty without them, and with `quiet` where none failed. */
export function renderAdditional(report: Report, options: TerminalOptions): string {
  const view = additionalView(report, escapeText);
  if (view === undefined) return '';
  const entries = view.entries.filter(({ says }) => options.quiet !== true || tones[says] === 'bad');
  if (options.quiet === true && entries.length === 0) return '';
  const colours = picocolors.createColors(options.colour);
  const width = layoutWidth(options);
  const lines = wrapText(view.heading, width, '', '  ').map(colours.bold);
  for (const { says, title, details, reproduction } of entries.slice(0, most)) {
    const [first = '', ...rest] = wrapText(`${says}: ${title}`, width, '  ', '      ');
    lines.push(
      first.replace(`${says}:`, () => paint(colours, tones[says], `${says}:`)),
      ...rest,
      ...details.flatMap((detail) => wrapText(detail, width, '    ', '      ')),
    );
    // Not wrapped, so that it can be copied.
    if (reproduction !== null) lines.push(`    ${colours.cyan(escapeText(reproduction, longestShellLine))}`);
  }
  if (entries.length > most)
    lines.push(`  and ${entries.length - most} more: see ${escapeText(whereToLook(options))}`);
  return `${lines.join('\n')}\n`;
}
