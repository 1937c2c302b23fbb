import picocolors from 'picocolors';
import type { Report } from '../../harness/model/report.ts';
import { escapeText } from '../model/escape.ts';
import { expectationText, findingText } from '../model/finding-text.ts';
import { groupBy } from '../model/group-by.ts';
import { outcomeMarks, type Tone } from '../model/marks.ts';
import {
  membersOf,
  operationsOf,
  type RootCauseGroup,
  rootCausesOf,
  type Weight,
} from '../model/root-causes.ts';
import { type Violation, violationsOf } from '../model/violation.ts';
import { firstOf, number, plural } from '../model/wording.ts';
import { wrapText } from './columns.ts';
import { paint } from './paint.ts';
import { layoutWidth, type TerminalOptions, whereToLook } from './terminal-options.ts';

// Long enough for any line that a person runs.
const longestShellLine = 20_000;
const longestText = 1_000;
const mostOperations = 8;
const mostNotes = 5;

const tones: Readonly<Record<Weight, Tone>> = { fail: 'bad', warn: 'doubt' };

function show(text: string): string {
  return escapeText(text, longestText);
}

/** The operations of a root cause with the number of findings at each. */
function placesOf(group: RootCauseGroup): string {
  const byOperation = groupBy(membersOf(group), ({ operation }) => operation);
  const names = [...byOperation].map(
    ([operation, same]) =>
      `${escapeText(operation, 80)}${same.length > 1 ? ` (${number(same.length)})` : ''}`,
  );
  return firstOf(names, mostOperations);
}

/** The other values that a root cause was seen with. */
function otherExpectations(group: RootCauseGroup): readonly string[] {
  const usual = expectationText(group.example, show);
  const others = group.others.map((violation) => expectationText(violation, show));
  return [...new Set(others)].filter((text): text is string => text !== null && text !== usual);
}

/** A root cause: defect, place, responder, fix, and the line that reproduces it. */
function causeLines(group: RootCauseGroup, report: Report, options: TerminalOptions): string[] {
  const colours = picocolors.createColors(options.colour);
  const { example, weight, answeredBy, fix } = group;
  const text = findingText(example, report, show, options);
  const { sign } = outcomeMarks[weight];
  const operations = operationsOf(group);
  const size = membersOf(group).length;
  const accepted = membersOf(group).filter(({ finding }) => finding?.accepted !== undefined).length;
  const others = otherExpectations(group);
  // One place may violate several requirements, of which the gravest decides.
  const { requirement } = membersOf(group).find(({ level }) => level === group.level) ?? example;
  const head = `${sign} ${show(requirement)} ${group.level}`;
  const details: readonly (string | null)[] = [
    text.expectation,
    operations.length === 1 && size === 1
      ? null
      : `${plural(size, 'finding')} at ${plural(operations.length, 'operation')}: ${placesOf(group)}`,
    others.length === 0 ? null : `also ${firstOf(others, 3)}`,
    text.detail,
    answeredBy === null ? null : `answered by ${show(answeredBy.name)}: ${show(answeredBy.why)}`,
    fix === null ? null : `fix: ${show(fix)}`,
    text.contract,
    text.seen,
    text.logged,
    text.accepted ?? (accepted > 0 ? `${plural(accepted, 'finding')} accepted` : null),
    example.finding === null ? `check ${escapeText(example.check)}` : null,
  ];
  const where = operations.length === 1 ? `${escapeText(operations[0] ?? '')}: ` : '';
  const [first = '', ...rest] = wrapText(
    `${head}  ${where}${show(group.headline)}`,
    layoutWidth(options),
    '',
    '    ',
  );
  return [
    first.replace(head, () => paint(colours, tones[weight], colours.bold(head))),
    ...rest,
    ...details.flatMap((line) => (line === null ? [] : wrapText(line, layoutWidth(options), '  ', '    '))),
    // Neither broken nor wrapped, so that it can be copied.
    ...(text.reproduction === null
      ? []
      : [`  ${colours.cyan(escapeText(text.reproduction, longestShellLine))}`]),
  ];
}

/** The root causes of one weight under a heading; empty without any. */
export function renderRootCauses(report: Report, weight: Weight, options: TerminalOptions): string {
  const groups = rootCausesOf(report).filter((group) => group.weight === weight);
  if (groups.length === 0) return '';
  const colours = picocolors.createColors(options.colour);
  const findings = groups.reduce((sum, group) => sum + membersOf(group).length, 0);
  const operations = new Set(groups.flatMap(operationsOf)).size;
  const name = weight === 'fail' ? 'Failed' : 'Warnings';
  const heading = `${name}: ${plural(groups.length, 'root cause')}, ${plural(findings, 'finding')} at ${plural(operations, 'operation')}`;
  const most = Math.max(1, options.maxFindings ?? 10);
  const rest = groups.length - most;
  return `${[
    paint(colours, tones[weight], colours.bold(heading)),
    ...groups.slice(0, most).map((group) => causeLines(group, report, options).join('\n')),
    ...(rest > 0
      ? wrapText(
          `${plural(rest, 'more root cause')}: see ${escapeText(whereToLook(options))}`,
          layoutWidth(options),
          '',
        )
      : []),
  ].join('\n\n')}\n`;
}

/** Violations of level info; empty without any. */
export function renderNotes(report: Report, options: TerminalOptions): string {
  const { notes } = violationsOf(report);
  if (notes.length === 0) return '';
  const colours = picocolors.createColors(options.colour);
  const groups = [
    ...groupBy(notes, ({ requirement, headline }: Violation) =>
      JSON.stringify([requirement, headline]),
    ).values(),
  ];
  const lines = groups.slice(0, mostNotes).flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const operations = [...new Set(same.map(({ operation }) => operation))];
    const where =
      operations.length === 1 ? escapeText(operations[0] ?? '') : plural(operations.length, 'operation');
    const text = `${escapeText(first.requirement)} ${first.level}  ${where}: ${show(first.headline)}`;
    return wrapText(text, layoutWidth(options), '', '    ');
  });
  const more = groups.length - mostNotes;
  if (more > 0) lines.push(`${number(more)} more: see ${escapeText(whereToLook(options))}`);
  return `${[paint(colours, 'muted', colours.bold('Notes, not counted')), ...lines].join('\n')}\n`;
}
