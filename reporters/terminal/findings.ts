import picocolors from 'picocolors';
import type { Report } from '../../harness/model/report.ts';
import { type CauseGroup, groupByCause, operationsOf } from '../model/cause-group.ts';
import { escapeText } from '../model/escape.ts';
import { expectationText, findingText } from '../model/finding-text.ts';
import { groupBy } from '../model/group-by.ts';
import type { Tone } from '../model/marks.ts';
import { type Violation, violationsOf } from '../model/violation.ts';
import { number, plural } from '../model/wording.ts';
import { padColumns, textWidth, wrapText } from './columns.ts';
import { type Colours, paint } from './paint.ts';
import { layoutWidth, type TerminalOptions, whereToLook } from './terminal-options.ts';

// Long enough for any line that a person would run; a flood is cut and says so.
const longestShellLine = 20_000;
const mostNotes = 5;

interface Layout {
  readonly colours: Colours;
  readonly width: number;
  readonly seed: number;
  readonly tone: Tone;
}

function shellLine(reproduction: string): string {
  // Nothing is broken or wrapped here, so that the line can be copied.
  return escapeText(reproduction, longestShellLine);
}

function findingLines(violation: Violation, layout: Layout, indent: string): string[] {
  const { colours, width, seed, tone } = layout;
  const text = findingText(violation, seed, escapeText);
  const below = `${indent}  `;
  const [first = '', ...rest] = wrapText(text.title, width, indent, `${below}  `);
  const lines = [first.replace(text.tag, () => paint(colours, tone, colours.bold(text.tag))), ...rest];
  if (text.expectation !== null) lines.push(...wrapText(text.expectation, width, below, `${below}  `));
  if (text.contract !== null) lines.push(...wrapText(text.contract, width, below, `${below}  `));
  if (text.seen !== null) lines.push(...wrapText(text.seen, width, below, `${below}  `).map(colours.dim));
  if (text.accepted !== null) lines.push(...wrapText(text.accepted, width, below, `${below}  `));
  if (text.reproduction !== null) lines.push(below + colours.cyan(shellLine(text.reproduction)));
  if (violation.finding === null) lines.push(below + colours.dim(`check ${escapeText(violation.check)}`));
  return lines;
}

/** One line for each operation of a cause: its findings, and what differs from the example. */
function otherLines(group: CauseGroup, layout: Layout, indent: string): string[] {
  const usual = expectationText(group.example, escapeText);
  const byOperation = groupBy(group.others, ({ operation }) => escapeText(operation, 80));
  const nameWidth = Math.max(0, ...[...byOperation.keys()].map(textWidth));
  return [...byOperation].flatMap(([operation, violations]) => {
    const ids = violations.map(({ finding }) => escapeText(finding?.id ?? ''));
    const accepted = violations.filter(({ finding }) => finding?.accepted !== undefined).length;
    const which = ids.length === 1 ? `finding ${ids[0]}` : `${ids.length} findings, first ${ids[0]}`;
    const different = violations
      .map((violation) => expectationText(violation, escapeText))
      .find((text) => text !== null && text !== usual);
    const borne =
      accepted === 0 ? '' : accepted === ids.length ? ' · accepted' : ` · ${accepted} of them accepted`;
    const text = `${padColumns(operation, nameWidth)}  ${which}${different === undefined ? '' : ` · ${different}`}${borne}`;
    return wrapText(text, layout.width, indent, `${indent}  `).map(layout.colours.dim);
  });
}

function groupHeading(group: CauseGroup, size: number): string {
  const operations = operationsOf(group).length;
  const findings = size > operations ? `, ${plural(size, 'finding')}` : '';
  return `${plural(operations, 'operation')}${findings}, one cause: ${escapeText(group.cause?.signature ?? '')}`;
}

function groupLines(group: CauseGroup, layout: Layout): string[] {
  if (group.others.length === 0) return findingLines(group.example, layout, '');
  const { colours, width } = layout;
  return [
    ...wrapText(groupHeading(group, group.others.length + 1), width, '', '  ').map(colours.bold),
    ...findingLines(group.example, layout, '  '),
    '    the same at:',
    ...otherLines(group, layout, '      '),
  ];
}

function hidden(
  groups: readonly CauseGroup[],
  shown: number,
  options: TerminalOptions,
  what: string,
): string[] {
  const rest = groups.slice(shown);
  const count = rest.reduce((sum, { others }) => sum + others.length + 1, 0);
  if (count === 0) return [];
  const operations = new Set(rest.flatMap(operationsOf)).size;
  const text = `… and ${plural(count, `more ${what}`)} at ${plural(operations, 'operation')}: see ${escapeText(whereToLook(options))}`;
  return wrapText(text, layoutWidth(options), '');
}

function renderGroups(
  report: Report,
  options: TerminalOptions,
  violations: readonly Violation[],
  tone: Tone,
  what: string,
): string[] {
  const colours = picocolors.createColors(options.colour);
  const layout: Layout = { colours, width: layoutWidth(options), seed: report.run.seed, tone };
  const groups = groupByCause(violations, report.causes);
  const most = Math.max(1, options.maxFindings ?? 10);
  const blocks = groups.slice(0, most).map((group) => groupLines(group, layout).join('\n'));
  return [...blocks, ...hidden(groups, most, options, what)];
}

function title(text: string, tone: Tone, options: TerminalOptions): string {
  const colours = picocolors.createColors(options.colour);
  return paint(colours, tone, colours.bold(text));
}

/** The violations that fail the run, grouped by cause; empty where there are none. */
export function renderFindings(report: Report, options: TerminalOptions): string {
  const { failures } = violationsOf(report);
  if (failures.length === 0) return '';
  const colours = picocolors.createColors(options.colour);
  const operations = new Set(failures.map(({ operation }) => operation)).size;
  const heading = `Failed: ${plural(failures.length, 'finding')} at ${plural(operations, 'operation')}`;
  const blocks = [
    title(heading, 'bad', options),
    ...renderGroups(report, options, failures, 'bad', 'finding'),
  ];
  const example = groupByCause(failures, report.causes)[0]?.example;
  if (example?.finding) {
    const hints = [
      `what it means:  commerce-conformance explain ${escapeText(example.requirement)}`,
      `to try again:   commerce-conformance replay ${escapeText(example.finding.id)}`,
    ];
    blocks.push(
      hints
        .flatMap((hint) => wrapText(hint, layoutWidth(options), ''))
        .map(colours.dim)
        .join('\n'),
    );
  }
  return `${blocks.join('\n\n')}\n`;
}

function noteLines(notes: readonly Violation[], options: TerminalOptions): string[] {
  const width = layoutWidth(options);
  const relatedExchanges = [
    ...groupBy(notes, ({ requirement, message }) => JSON.stringify([requirement, message])).values(),
  ];
  const lines = relatedExchanges.slice(0, mostNotes).flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const operations = [...new Set(same.map(({ operation }) => operation))];
    const where =
      operations.length === 1 ? escapeText(operations[0] ?? '') : plural(operations.length, 'operation');
    const text = `${escapeText(first.requirement)} ${first.level}  ${where}: ${escapeText(first.message)}`;
    return wrapText(text, width, '', '    ');
  });
  const more = relatedExchanges.length - mostNotes;
  if (more > 0) lines.push(`… and ${number(more)} more: see ${escapeText(whereToLook(options))}`);
  return lines;
}

/** What violates a `should`, and what is only noted; empty where there is neither. */
export function renderWarnings(report: Report, options: TerminalOptions): string {
  const { warnings, notes } = violationsOf(report);
  const blocks: string[] = [];
  if (warnings.length > 0) {
    const operations = new Set(warnings.map(({ operation }) => operation)).size;
    const heading = `Warnings: ${plural(warnings.length, 'finding')} at ${plural(operations, 'operation')}`;
    blocks.push(title(heading, 'doubt', options));
    blocks.push(...renderGroups(report, options, warnings, 'doubt', 'warning'));
  }
  if (notes.length > 0) {
    blocks.push([title('Noted, without weight', 'muted', options), ...noteLines(notes, options)].join('\n'));
  }
  return blocks.length === 0 ? '' : `${blocks.join('\n\n')}\n`;
}
