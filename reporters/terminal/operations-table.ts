import stringWidth from 'string-width';
import type { Report } from '../../harness/model/report.ts';
import { countedOutcomes, outcomeMarks, type Standing, standingMarks } from '../model/marks.ts';
import { type OperationStanding, sectionsOf, standingsOf } from '../model/standing.ts';
import { escapeText, number, plural } from '../model/wording.ts';
import { cutColumns, type Layout, padColumns } from './layout.ts';

/** Most urgent first. */
const order: readonly Standing[] = [
  'fails',
  'harness-error',
  'not-tested',
  'partly-tested',
  'partly-run',
  'conforms',
];

/** The operations that ran in the contract's groups with their cases by outcome: failures first, groups that pass on one line. */
export function operationsTable(report: Report, { colours, paint, width }: Layout): string[] {
  const standings = standingsOf(report);
  const rows = standings.filter(({ standing }) => standing !== 'not-run');
  const idle = standings.length - rows.length;
  const columns = countedOutcomes.flatMap((outcome) => {
    const most = Math.max(0, ...rows.map(({ counts }) => counts[outcome]));
    return most > 0 ? [{ outcome, digits: String(most).length, ...outcomeMarks[outcome] }] : [];
  });
  const wordWidth = Math.max(0, ...rows.map(({ standing }) => standingMarks[standing].word.length));
  const cellsWidth = columns.reduce((sum, { digits }) => sum + digits + 4, 0);
  const room = Math.max(12, width - 6 - wordWidth - cellsWidth);
  const nameWidth = Math.min(Math.max(0, ...rows.map((row) => stringWidth(nameOf(row)))), room);
  const check = paint(standingMarks.conforms.tone, standingMarks.conforms.sign);

  const rowLine = (row: OperationStanding): string => {
    const mark = standingMarks[row.standing];
    const name = padColumns(cutColumns(nameOf(row), nameWidth), nameWidth);
    // Nothing is padded before the end of a line, where color codes would hide it from trimEnd.
    const filled = columns.slice(0, 1 + columns.findLastIndex(({ outcome }) => row.counts[outcome] > 0));
    const cells = filled.map(({ outcome, digits, sign, tone }) => {
      const count = row.counts[outcome];
      if (count === 0) return ' '.repeat(digits + 4);
      return `  ${paint(outcome === 'pass' ? 'muted' : tone, `${sign} ${String(count).padStart(digits)}`)}`;
    });
    const word = filled.length > 0 ? mark.word.padEnd(wordWidth) : mark.word;
    const told = row.standing === 'conforms' ? word : paint(mark.tone, word);
    return `  ${paint(mark.tone, mark.sign)} ${name}  ${told}${cells.join('')}`;
  };

  const lines = sectionsOf(rows)
    .sort((a, b) => gravityOf(a.rows) - gravityOf(b.rows))
    .flatMap(({ title, rows: own }) => {
      const passing = own.filter(passes);
      const passed = passing.reduce((sum, { counts }) => sum + counts.pass, 0);
      const cases = plural(passed, 'case');
      if (passing.length === own.length)
        return [`${check} ${colours.bold(`${title}: all ${number(own.length)} conform`)}, ${cases} pass`];
      const more = `${number(passing.length)} more conform${passing.length === 1 ? 's' : ''}, ${cases} pass`;
      const others = own.filter((row) => !passes(row)).sort((a, b) => gravityOf([a]) - gravityOf([b]));
      const last = passing.length > 0 ? [`  ${check} ${more}`] : [];
      return [colours.bold(title), ...others.map(rowLine), ...last];
    });
  if (idle > 0) lines.push(colours.dim(`- ${plural(idle, 'operation')} not run`));
  if (rows.every(passes)) return lines;
  const hasOurIds = rows.some((row) => row.operation.idIsOurs && !passes(row));
  const legend = [
    columns.length > 0 && `cases: ${columns.map(({ sign, word }) => `${sign} ${word}`).join('  ')}`,
    hasOurIds && '* our name: the contract gives no id',
  ].filter((line) => line !== false);
  const line = legend.join('   ');
  const isShort = stringWidth(line) + 2 <= width;
  return [...lines, ...(isShort ? [line] : legend).map((text) => colours.dim(`  ${text}`))];
}

function nameOf({ operation }: OperationStanding): string {
  return `${escapeText(operation.id, 80)}${operation.idIsOurs ? '*' : ''}`;
}

/** Conforms, and nothing in it warns. */
function passes({ standing, counts }: OperationStanding): boolean {
  return standing === 'conforms' && counts.warn === 0;
}

/** Lower for rows that need more attention. */
function gravityOf(rows: readonly OperationStanding[]): number {
  return Math.min(...rows.map((row) => (passes(row) ? order.length : order.indexOf(row.standing))));
}
