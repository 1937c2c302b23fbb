import picocolors from 'picocolors';
import type { CaseResult, Report } from '../../harness/model/report.ts';
import { escapeText } from '../model/escape.ts';
import { type OpenCases, openCasesOf, type Remedy } from '../model/open-cases.ts';
import { firstOf, number, plural } from '../model/wording.ts';
import { wrapText } from './columns.ts';
import { type Colours, paint } from './paint.ts';
import { layoutWidth, type TerminalOptions, whereToLook } from './terminal-options.ts';

const mostGroups = 8;

function opening(kind: Remedy['kind'], cases: string): string {
  switch (kind) {
    case 'target-file':
      return `Add this to the target file to test ${cases}:`;
    case 'flag':
      return `Run again with this to test ${cases}:`;
    case 'advice':
      return `Do this to test ${cases}:`;
    case 'none':
      return `Not tested, ${cases}:`;
  }
}

function casesInWords(kind: Remedy['kind'], count: number): string {
  return kind === 'none' ? plural(count, 'case') : plural(count, 'more case');
}

/** The remedy's own lines: breaks and indentation belong to YAML, all else is escaped. */
function remedyLines({ kind, text }: Remedy, width: number): string[] {
  if (kind === 'target-file') return text.split('\n').map((line) => `    ${escapeText(line)}`);
  return wrapText(escapeText(text), width, '    ');
}

function namesOf(cases: readonly CaseResult[]): string {
  const operations = [...new Set(cases.map(({ operation }) => escapeText(operation)))];
  const checks = [...new Set(cases.map(({ check }) => escapeText(check)))];
  const where = operations.length >= 25 ? 'all operations' : firstOf(operations, 6);
  return `${where} · ${checks.length === 1 ? 'check' : plural(checks.length, 'check')}${checks.length === 1 ? ` ${checks[0]}` : `, such as ${checks[0]}`}`;
}

function groupLines({ remedy, cases }: OpenCases, width: number, colours: Colours): string[] {
  const must = cases.filter(({ level }) => level === 'must').length;
  const [first = '', ...rest] = wrapText(
    opening(remedy.kind, casesInWords(remedy.kind, cases.length)),
    width,
    '  ',
  );
  const weight = must === 0 ? 'none of level must · ' : '';
  return [
    first,
    ...rest,
    ...remedyLines(remedy, width).map((line) => (remedy.kind === 'none' ? line : colours.bold(line))),
    ...wrapText(`${weight}${namesOf(cases)}`, width, '    ', '      ').map(colours.dim),
  ];
}

/** Inconclusive cases by remedy; empty without any. */
export function renderInconclusive(report: Report, options: TerminalOptions): string {
  const groups = openCasesOf(report);
  if (groups.length === 0) return '';
  const colours = picocolors.createColors(options.colour);
  const width = layoutWidth(options);
  const count = groups.reduce((sum, { cases }) => sum + cases.length, 0);
  const blocks = [paint(colours, 'open', colours.bold(`Not tested: ${plural(count, 'case')}`))];
  blocks.push(...groups.slice(0, mostGroups).map((group) => groupLines(group, width, colours).join('\n')));
  const rest = groups.slice(mostGroups);
  if (rest.length > 0) {
    const left = rest.reduce((sum, { cases }) => sum + cases.length, 0);
    const text = `${plural(left, 'more case')} for ${number(rest.length)} more ${rest.length === 1 ? 'reason' : 'reasons'}: see ${escapeText(whereToLook(options))}`;
    blocks.push(wrapText(text, width, '  ').join('\n'));
  }
  return `${blocks.join('\n\n')}\n`;
}
