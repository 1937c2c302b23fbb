import picocolors from 'picocolors';
import type { Report } from '../../harness/model/report.ts';
import { escapeText } from '../model/escape.ts';
import { plural } from '../model/wording.ts';
import { wrapText } from './columns.ts';
import { paint } from './paint.ts';
import { layoutWidth, type TerminalOptions, whereToLook } from './terminal-options.ts';

const most = 5;

/** Cases in which the harness itself failed, which say nothing about the target; empty where there are none. */
export function renderHarnessErrors(report: Report, options: TerminalOptions): string {
  const errors = report.results.filter(({ outcome }) => outcome === 'error');
  if (errors.length === 0) return '';
  const colours = picocolors.createColors(options.colour);
  const width = layoutWidth(options);
  const heading = `Defects of the harness, not of the target: ${plural(errors.length, 'case')}`;
  const lines = [paint(colours, 'bad', colours.bold(heading)), ''];
  for (const { check, operation, message } of errors.slice(0, most)) {
    const text = `${escapeText(check)}  ${escapeText(operation)}: ${escapeText(message)}`;
    lines.push(...wrapText(text, width, '  ', '    '));
  }
  if (errors.length > most)
    lines.push(`  and ${errors.length - most} more: see ${escapeText(whereToLook(options))}`);
  return `${lines.join('\n')}\n`;
}
