import picocolors from 'picocolors';
import type { Report } from '../../harness/model/report.ts';
import { escapeText } from '../model/escape.ts';
import { groupBy } from '../model/group-by.ts';
import { verdictMarks } from '../model/marks.ts';
import { quoted, replayCommand } from '../model/replay-command.ts';
import { rootCausesOf } from '../model/root-causes.ts';
import { casesInWords, caveatsOf, mustCases, operationsInWords, reasonsOf } from '../model/run-figures.ts';
import { slowedInWords } from '../model/slowdown.ts';
import { wayToTarget } from '../model/way-to-target.ts';
import { duration, firstOf, number, plural } from '../model/wording.ts';
import { wrapText } from './columns.ts';
import { paint } from './paint.ts';
import { layoutWidth, type TerminalOptions } from './terminal-options.ts';

const labelWidth = 12;
const mostReasons = 4;

function mustText(report: Report): string | null {
  const { planned, tested } = mustCases(report);
  const isAll = report.results.every(
    ({ level, outcome }) => level === 'must' || outcome === 'not-applicable',
  );
  if (planned === tested || isAll) return null;
  return `of level must: ${number(tested)} of ${number(planned)} tested`;
}

function statusesText({ coverage }: Report): string | null {
  if (coverage.length === 0) return null;
  const missing = groupBy(
    coverage.filter(({ observed }) => observed === 0),
    ({ status }) => status,
  );
  if (missing.size === 0) return 'every documented status observed at every operation';
  const operations = new Set(coverage.map(({ operation }) => operation)).size;
  const parts = [...missing]
    .sort(([a], [b]) => a - b)
    .map(([status, entries]) => `${status} at ${number(entries.length)}`);
  return `never observed: ${parts.join(', ')} of ${plural(operations, 'operation')}`;
}

function trafficText({ traffic, run }: Report): string {
  const { requests, throttled, latencyMs, byStatus } = traffic;
  const silent = byStatus['none'] ?? 0;
  return [
    `${plural(requests, 'request')} in ${duration(run.durationMs)}`,
    `${number(throttled)} throttled`,
    ...(silent > 0 ? [`${number(silent)} without an answer`] : []),
    `p50 ${duration(latencyMs.p50)}, p95 ${duration(latencyMs.p95)}`,
  ].join(' · ');
}

function discoveredText({ target }: Report): string | null {
  if (target.discovered.length === 0) return null;
  const found = target.discovered.map(
    ({ name, value, from }) => `${escapeText(name, 60)} = ${escapeText(value, 60)} (${escapeText(from, 80)})`,
  );
  return firstOf(found, 4);
}

function excludedText({ target: { excluded = [] } }: Report): string | null {
  if (excluded.length === 0) return null;
  const left = excluded.map((one) => {
    const where = [one.operation, one.parameter].flatMap((name) => (name === undefined ? [] : [name]));
    const place = where.length === 0 ? '' : ` in ${where.join(' ')}`;
    return `${escapeText(one.class + place, 80)} (${escapeText(one.reason, 160)})`;
  });
  return firstOf(left, 6);
}

function targetText({ target }: Report): string {
  return escapeText(target.baseUrl + wayToTarget(target));
}

function verdictLine(report: Report, options: TerminalOptions): string {
  const colours = picocolors.createColors(options.colour);
  const { sign, word, tone } = verdictMarks[report.verdict];
  const head = `${sign} ${word}${report.run.interrupted ? ', interrupted' : ''}`;
  const caveats = caveatsOf(report).join('; ');
  const line = `${head}${caveats && `: ${caveats}`}  ${targetText(report)}`;
  const [first = '', ...rest] = wrapText(line, layoutWidth(options), '', '  ');
  return [first.replace(head, () => paint(colours, tone, colours.bold(head))), ...rest].join('\n');
}

/** The figures of the run, each with its denominator. */
export function renderFigures(report: Report, options: TerminalOptions): string {
  const colours = picocolors.createColors(options.colour);
  const width = layoutWidth(options);
  const facts: ReadonlyArray<readonly [label: string, text: string | null]> = [
    ['operations', operationsInWords(report)],
    ['cases', casesInWords(report)],
    ['', mustText(report)],
    ['statuses', statusesText(report)],
    ['discovered', discoveredText(report)],
    ['excluded', excludedText(report)],
    ['traffic', trafficText(report)],
    ['', slowedInWords(report) ?? null],
    ['seed', String(report.run.seed)],
    ['report', options.reportPath === undefined ? null : escapeText(options.reportPath, 1_000)],
  ];
  const lines = facts.flatMap(([label, text]) => {
    if (text === null) return [];
    const lead = `  ${label.padEnd(labelWidth)}`;
    const [first = '', ...rest] = wrapText(text, width, lead, ' '.repeat(lead.length));
    return [colours.dim(lead) + first.slice(lead.length), ...rest];
  });
  return `${lines.join('\n')}\n`;
}

/** The verdict with its reasons, and the commands that lead on from it. */
export function renderVerdict(report: Report, options: TerminalOptions): string {
  const width = layoutWidth(options);
  const reasons = reasonsOf(report);
  const lines = [verdictLine(report, options)];
  for (const reason of reasons.slice(0, mostReasons))
    lines.push(...wrapText(escapeText(reason, 1_000), width, '  '));
  if (reasons.length > mostReasons) lines.push(`  ${plural(reasons.length - mostReasons, 'more reason')}`);
  return `${[...lines, ...gateHint(report, options), ...nextCommands(report, options)].join('\n')}\n`;
}

/** Nobody reads the log of a green pipeline. */
function gateHint(report: Report, options: TerminalOptions): readonly string[] {
  const { verdict, run } = report;
  const isGated = run.options['certify'] === true || run.options['failIncomplete'] === true;
  if (verdict !== 'incomplete' || isGated || run.shard !== undefined || caveatsOf(report).length === 0)
    return [];
  const hint =
    'This alone does not fail a pipeline: with --fail-incomplete, the exit code is 3 until every must case is tested.';
  return wrapText(hint, layoutWidth(options), '  ');
}

/** Whole commands for the first finding, ready to be pasted. */
function nextCommands(report: Report, options: TerminalOptions): string[] {
  const example = rootCausesOf(report)[0]?.example;
  if (example?.finding == null) return [];
  const colours = picocolors.createColors(options.colour);
  return [
    colours.dim(`  explain it  npx commerce-conformance explain ${quoted(example.requirement)}`),
    colours.dim(`  replay it   ${replayCommand(report, example.finding, options)}`),
  ];
}
