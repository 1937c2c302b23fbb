import picocolors from 'picocolors';
import type { Report } from '../../harness/model/report.ts';
import { escapeText } from '../model/escape.ts';
import { outcomeMarks, standingMarks } from '../model/marks.ts';
import { sectionsOf } from '../model/operation-groups.ts';
import { type OperationStanding, type Standing, standingsOf } from '../model/standing.ts';
import { number, plural } from '../model/wording.ts';
import { cutColumns, padColumns, textWidth } from './columns.ts';
import { type Colours, paint } from './paint.ts';
import { layoutWidth, type TerminalOptions } from './terminal-options.ts';

const counted = ['pass', 'fail', 'warn', 'inconclusive', 'error'] as const;
type Counted = (typeof counted)[number];

interface Column {
  readonly outcome: Counted;
  /** Digits of the largest count. */
  readonly digits: number;
}

function columnsFor(rows: readonly OperationStanding[]): Column[] {
  return counted
    .map((outcome) => ({ outcome, most: Math.max(0, ...rows.map(({ counts }) => counts[outcome])) }))
    .filter(({ most }) => most > 0)
    .map(({ outcome, most }) => ({ outcome, digits: String(most).length }));
}

function cell({ outcome, digits }: Column, { counts }: OperationStanding, colours: Colours): string {
  const value = counts[outcome];
  if (value === 0) return ' '.repeat(digits + 2);
  const { sign, tone } = outcomeMarks[outcome];
  const text = `${sign} ${String(value).padStart(digits)}`;
  return outcome === 'pass' ? paint(colours, 'muted', text) : paint(colours, tone, text);
}

function nameOf({ operation }: OperationStanding): string {
  return `${escapeText(operation.id, 80)}${operation.idIsOurs ? '*' : ''}`;
}

function legend(columns: readonly Column[], rows: readonly OperationStanding[], width: number): string[] {
  const signs = columns.map(({ outcome }) => `${outcomeMarks[outcome].sign} ${outcomeMarks[outcome].word}`);
  const key = signs.length > 0 ? `cases: ${signs.join('  ')}` : '';
  const ours = rows.some((row) => row.operation.idIsOurs && !passes(row))
    ? '* our name: the contract gives no id'
    : '';
  const both = [key, ours].filter((text) => text !== '');
  const line = both.join('   ');
  return textWidth(line) + 2 <= width ? [line] : both;
}

/** Conforms, and nothing in it warns. */
function passes({ standing, counts }: OperationStanding): boolean {
  return standing === 'conforms' && counts.warn === 0;
}

const order: readonly Standing[] = [
  'fails',
  'harness-error',
  'not-tested',
  'partly-tested',
  'partly-run',
  'not-run',
  'conforms',
];

/** Lower for rows that need more attention. */
function gravityOf(rows: readonly OperationStanding[]): number {
  return Math.min(...rows.map((row) => (passes(row) ? order.length : order.indexOf(row.standing))));
}

function passedText(rows: readonly OperationStanding[]): string {
  return `, ${plural(
    rows.reduce((sum, { counts }) => sum + counts.pass, 0),
    'case',
  )} pass`;
}

/** The operations in the contract's groups with their cases by outcome: failures first, groups that pass on one line. */
export function renderOperations(report: Report, options: TerminalOptions): string {
  const colours = picocolors.createColors(options.colour);
  const width = layoutWidth(options);
  const rows = standingsOf(report);
  const columns = columnsFor(rows);
  const wordWidth = Math.max(0, ...rows.map(({ standing }) => standingMarks[standing].word.length));
  const cellsWidth = columns.reduce((sum, { digits }) => sum + digits + 4, 0);
  const room = width - 4 - 2 - wordWidth - cellsWidth;
  const nameWidth = Math.min(Math.max(0, ...rows.map((row) => textWidth(nameOf(row)))), Math.max(12, room));
  const lines: string[] = [];
  // Sections and operations with failures come first; a section that passes is one line.
  for (const section of sectionsOf(rows).sort((a, b) => gravityOf(a.rows) - gravityOf(b.rows))) {
    if (section.rows.every(passes)) {
      const { sign, tone } = standingMarks.conforms;
      const text = `${section.title}: all ${number(section.rows.length)} conform`;
      lines.push(`${paint(colours, tone, sign)} ${colours.bold(text)}${passedText(section.rows)}`);
      continue;
    }
    lines.push(colours.bold(section.title));
    const passing = section.rows.filter(passes);
    for (const row of section.rows
      .filter((one) => !passes(one))
      .sort((a, b) => gravityOf([a]) - gravityOf([b]))) {
      const mark = standingMarks[row.standing];
      const name = padColumns(cutColumns(nameOf(row), nameWidth), nameWidth);
      // Nothing is padded before the end of a line, where color codes would hide it from trimEnd.
      const filled = columns.slice(0, 1 + columns.findLastIndex(({ outcome }) => row.counts[outcome] > 0));
      const word = filled.length > 0 ? mark.word.padEnd(wordWidth) : mark.word;
      const told = row.standing === 'conforms' ? word : paint(colours, mark.tone, word);
      const cells = filled.map((column) => `  ${cell(column, row, colours)}`).join('');
      lines.push(`  ${paint(colours, mark.tone, mark.sign)} ${name}  ${told}${cells}`);
    }
    if (passing.length > 0) {
      const { sign, tone } = standingMarks.conforms;
      lines.push(
        `  ${paint(colours, tone, sign)} ${number(passing.length)} more conform${passing.length === 1 ? 's' : ''}${passedText(passing)}`,
      );
    }
  }
  if (!rows.every(passes))
    lines.push(...legend(columns, rows, width).map((line) => colours.dim(`  ${line}`)));
  return `${lines.join('\n')}\n`;
}
