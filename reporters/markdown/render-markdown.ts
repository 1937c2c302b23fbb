import type { Report } from '../../harness/model/report.ts';
import { additionalView } from '../model/additional.ts';
import { outcomeMarks, standingMarks, verdictMarks } from '../model/marks.ts';
import { slowedInWords } from '../model/slowdown.ts';
import { standingsOf } from '../model/standing.ts';
import { violationsOf } from '../model/violation.ts';
import { wayToTarget } from '../model/way-to-target.ts';
import { duration, number, plural, sentence } from '../model/wording.ts';
import { findingsSection, folded } from './findings-section.ts';
import { inline } from './inline.ts';
import { openSection } from './open-section.ts';

/** GitHub drops the whole summary of a step beyond 1 MiB, and others may write to the same one. */
export const mostBytes: number = 512 * 1024;

const mostReasons = 6;
const mostErrors = 5;

/** A summary for the page of a CI job: verdict first, then what to act on; never longer than `mostBytes`. */
export function renderMarkdown(report: Report): string {
  for (const most of [20, 5, 1]) {
    const text = summary(report, most);
    if (Buffer.byteLength(text) <= mostBytes) return text;
  }
  return summary(report, 0);
}

function summary(report: Report, most: number): string {
  const { notes } = violationsOf(report);
  return `${[
    ...headline(report),
    ...counts(report),
    ...findingsSection('Failed', 'fail', report, most),
    ...harnessErrors(report),
    ...openSection(report, most),
    ...findingsSection('Warnings', 'warn', report, most),
    ...(notes.length > 0 ? [`${plural(notes.length, 'observation')} noted: see report.json`] : []),
    ...additionalSection(report, most),
    ...operations(report),
    ...footer(report),
  ].join('\n\n')}\n`;
}

function headline({ verdict, run, target, reasons }: Report): string[] {
  const { sign, word } = verdictMarks[verdict];
  const shown = reasons.slice(0, mostReasons).map((reason) => `- ${inline(reason)}`);
  const more = reasons.length - mostReasons;
  const way = wayToTarget(target);
  return [
    `## ${sign} ${word}${run.interrupted ? ', interrupted' : ''}`,
    inline(target.baseUrl) + (target.connection === undefined ? way : ` ${inline(way.trim())}`),
    ...(shown.length > 0 ? [shown.join('\n')] : []),
    ...(more > 0 ? [`… and ${plural(more, 'more reason')}`] : []),
  ];
}

function counts({ summary, complete }: Report): string[] {
  const { pass, fail, warn, inconclusive, notApplicable, error } = summary;
  const planned = pass + fail + warn + inconclusive + error;
  return [
    [
      '| pass | fail | warn | inconclusive | harness error |',
      '| ---: | ---: | ---: | ---: | ---: |',
      `| ${[pass, fail, warn, inconclusive, error].map(number).join(' | ')} |`,
    ].join('\n'),
    `${number(pass + fail + warn)} of ${plural(planned, 'case')} tested; ${complete ? 'every must case was tested' : 'not every must case was tested'}; ${number(notApplicable)} not applicable, not counted.`,
  ];
}

function harnessErrors({ results }: Report): string[] {
  const errors = results.filter(({ outcome }) => outcome === 'error');
  if (errors.length === 0) return [];
  const shown = errors
    .slice(0, mostErrors)
    .map(({ check, operation, message }) => `- ${inline(check)} at ${inline(operation)}: ${inline(message)}`);
  const more = errors.length - mostErrors;
  return [
    `### Defects of the harness, not of the target: ${plural(errors.length, 'case')}`,
    [...shown, ...(more > 0 ? [`- … and ${number(more)} more`] : [])].join('\n'),
  ];
}

function operations(report: Report): string[] {
  const standings = standingsOf(report);
  const conforming = standings.filter(({ standing }) => standing === 'conforms').length;
  const columns = ['pass', 'fail', 'warn', 'inconclusive', 'error'] as const;
  const rows = standings.map(({ operation, standing, counts: counted }) => {
    const { sign, word } = standingMarks[standing];
    const cells = columns.map((outcome) => (counted[outcome] === 0 ? '' : number(counted[outcome])));
    return `| ${[`${sign} ${word}`, inline(operation.id), ...cells].join(' | ')} |`;
  });
  const table = [
    `| standing | operation | ${columns.map((outcome) => outcomeMarks[outcome].word).join(' | ')} |`,
    `| :--- | :--- | ${columns.map(() => '---:').join(' | ')} |`,
    ...rows,
  ].join('\n');
  return folded(`${number(conforming)} of ${plural(standings.length, 'operation')} conform`, [table]);
}

function footer(report: Report): string[] {
  const { traffic, run, harness } = report;
  const slowed = slowedInWords(report);
  const facts = [
    `${plural(traffic.requests, 'request')} in ${duration(run.durationMs)}`,
    `${number(traffic.throttled)} throttled`,
    `started ${inline(run.startedAt)}`,
    `seed ${run.seed}`,
    `${inline(harness.name)} ${inline(harness.version)}`,
  ];
  return [facts.join(' · '), ...(slowed === undefined ? [] : [inline(sentence(slowed))])];
}

/** What checks of the user came to, apart from the verdict; empty where there were none. */
function additionalSection(report: Report, most: number): string[] {
  const view = additionalView(report, (text) => text);
  if (view === undefined) return [];
  const shown = view.entries
    .slice(0, most)
    .map(({ says, title, details }) => `- ${says}: ${inline([title, ...details].join(' · '))}`);
  const more = view.entries.length - shown.length;
  const list = [...shown, ...(more > 0 ? [`- … and ${more} more`] : [])];
  return [`### ${inline(view.heading)}`, ...(list.length > 0 ? [list.join('\n')] : [])];
}
