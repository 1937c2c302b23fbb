import picocolors from 'picocolors';
import type { Report } from '../../harness/model/report.ts';
import { escapeText } from '../model/escape.ts';
import { groupBy } from '../model/group-by.ts';
import { standingMarks, verdictMarks } from '../model/marks.ts';
import { type Standing, standingsOf } from '../model/standing.ts';
import { wayToTarget } from '../model/way-to-target.ts';
import { duration, firstOf, number, plural } from '../model/wording.ts';
import { wrapText } from './columns.ts';
import { paint } from './paint.ts';
import { layoutWidth, type TerminalOptions } from './terminal-options.ts';

const labelWidth = 12;
const mostReasons = 4;

/** The reasons that the report gives, or the one that follows from its verdict. */
export function reasonsOf(report: Report): readonly string[] {
  if (report.reasons.length > 0) return report.reasons;
  const { fail, error } = report.summary;
  switch (report.verdict) {
    case 'conformant':
      return ['Every must requirement was judged at every operation it applies to, and none is violated.'];
    case 'non-conformant':
      return [`${plural(fail, 'case')} violated a requirement.`];
    case 'incomplete':
      return ['No must requirement is violated among what was judged, but not all of them were judged.'];
    case 'error':
      return [
        error > 0 ? `The harness itself failed in ${plural(error, 'case')}.` : 'The harness itself failed.',
      ];
  }
}

function operationsText(report: Report): string {
  const standings = standingsOf(report);
  const count = (standing: Standing): number => standings.filter((row) => row.standing === standing).length;
  const others = (Object.keys(standingMarks) as Standing[])
    .filter((standing) => standing !== 'conforms' && count(standing) > 0)
    .map(
      (standing) =>
        `${number(count(standing))} ${standing === 'fails' && count(standing) > 1 ? 'fail' : standingMarks[standing].word}`,
    );
  return [`${number(count('conforms'))} of ${number(standings.length)} conform`, ...others].join(', ');
}

function casesText(report: Report): string {
  const { pass, fail, warn, inconclusive, notApplicable, error } = report.summary;
  const evaluated = pass + fail + warn;
  const planned = evaluated + inconclusive + error;
  const parts = [`${number(pass)} pass`, `${number(fail)} fail`, `${number(warn)} warn`].join(', ');
  const open = inconclusive > 0 ? `; ${number(inconclusive)} inconclusive` : '';
  const broken = error > 0 ? `; ${number(error)} ended in a harness error` : '';
  const apart = notApplicable > 0 ? ` (${number(notApplicable)} not applicable, not counted)` : '';
  const left = standingsOf(report).some(
    ({ standing }) => standing === 'partly-run' || standing === 'not-run',
  );
  const share = left
    ? `${number(evaluated)} evaluated of the ${number(planned)} that were run`
    : `${number(evaluated)} of ${number(planned)} evaluated`;
  return `${share}: ${parts}${open}${broken}${apart}`;
}

function mustText({ results }: Report): string | null {
  const planned = results.filter(({ outcome }) => outcome !== 'not-applicable');
  const must = planned.filter(({ level }) => level === 'must');
  const evaluated = must.filter(({ outcome }) => outcome !== 'inconclusive' && outcome !== 'error');
  if (must.length === evaluated.length || must.length === planned.length) return null;
  return `of a must: ${number(evaluated.length)} of ${number(must.length)} evaluated`;
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
  const [first = '', ...rest] = wrapText(`${head}  ${targetText(report)}`, layoutWidth(options), '', '  ');
  return [first.replace(head, () => paint(colours, tone, colours.bold(head))), ...rest].join('\n');
}

/** The verdict with its first reason, for the top of a report. */
export function renderHeadline(report: Report, options: TerminalOptions): string {
  const reason = report.reasons[0];
  const why = reason === undefined ? [] : wrapText(escapeText(reason), layoutWidth(options), '  ');
  return `${[verdictLine(report, options), ...why].join('\n')}\n`;
}

/** The verdict, why, and the figures behind it, each with its denominator. */
export function renderVerdict(report: Report, options: TerminalOptions): string {
  const colours = picocolors.createColors(options.colour);
  const width = layoutWidth(options);
  const reasons = reasonsOf(report);
  const lines = [verdictLine(report, options)];
  for (const reason of reasons.slice(0, mostReasons))
    lines.push(...wrapText(escapeText(reason), width, '  '));
  if (reasons.length > mostReasons) lines.push(`  … and ${reasons.length - mostReasons} more reasons`);
  lines.push('');
  const facts: ReadonlyArray<readonly [label: string, text: string | null]> = [
    ['operations', operationsText(report)],
    ['cases', casesText(report)],
    ['', mustText(report)],
    ['statuses', statusesText(report)],
    ['discovered', discoveredText(report)],
    ['left out', excludedText(report)],
    ['traffic', trafficText(report)],
    ['seed', String(report.run.seed)],
    ['report', options.reportPath === undefined ? null : escapeText(options.reportPath)],
  ];
  for (const [label, text] of facts) {
    if (text === null) continue;
    const lead = `  ${label.padEnd(labelWidth)}`;
    const [first = '', ...rest] = wrapText(text, width, lead, ' '.repeat(lead.length));
    lines.push(colours.dim(lead) + first.slice(lead.length), ...rest);
  }
  return `${lines.join('\n')}\n`;
}
