import { firstFew } from '../../harness/first-few.ts';
import type { Report, TargetConnection, Verdict } from '../../harness/model/report.ts';
import { notPlanned } from '../../harness/results/case-result.ts';
import { untestedReason } from '../../harness/results/verdict.ts';
import { type Standing, standingMarks } from './marks.ts';
import { standingsOf } from './standing.ts';
import { number, plural } from './wording.ts';

/** How many cases with level must were planned, and how many of them were tested. */
export function mustCases({ results }: Pick<Report, 'results'>): {
  readonly planned: number;
  readonly tested: number;
} {
  const must = results.filter(({ level, outcome }) => level === 'must' && outcome !== 'not-applicable');
  const tested = must.filter(({ outcome }) => outcome !== 'inconclusive' && outcome !== 'error');
  return { planned: must.length, tested: tested.length };
}

/** Facts that the verdict alone would hide, in a few words each. */
export function caveatsOf(report: Report): readonly string[] {
  const { run, traffic, verdict } = report;
  if (!wasTested(report) || run.interrupted) return [];
  const { planned, tested } = mustCases(report);
  const lost = verdict === 'incomplete' && tested < planned;
  const isUnprovoked = run.options['provokeRateLimit'] === true && traffic.throttled === 0;
  return [
    ...(lost ? [`${number(planned - tested)} of ${number(planned)} must cases were not tested`] : []),
    ...(isUnprovoked ? ['--provoke-rate-limit provoked no 429, so throttling was not tested'] : []),
  ];
}

/** The profile of a run; the options of a report leave out the default. */
export function profileOf({ run: { options } }: Report): string {
  return String(options['profile'] ?? 'standard');
}

/** The profile behind a verdict of a run that sampled, such as `, profile quick`; empty for others. */
export function sampledBy(report: Report): string {
  return profileOf(report) === 'quick' ? ', profile quick' : '';
}

/** The reasons of the report that are not caveats. */
export function reasonsBesideCaveats(report: Report): readonly string[] {
  const { planned, tested } = mustCases(report);
  const told = caveatsOf(report).length > 0 ? untestedReason(planned - tested) : undefined;
  return reasonsOf(report).filter((reason) => reason !== told);
}

/** The reasons of the report, or the one that follows from its verdict. */
export function reasonsOf(report: Report): readonly string[] {
  if (report.reasons.length > 0) return report.reasons;
  const { fail, warn, error } = report.summary;
  const tested =
    sampledBy(report) === ''
      ? 'Every must case was tested, and no must requirement is violated.'
      : 'Every must requirement was tested at every operation, with few values each, and none is violated.';
  const warned = warn > 0 ? ` ${plural(warn, 'case')} violated a should requirement.` : '';
  const reasons: Readonly<Record<Verdict, string>> = {
    conformant: `${tested}${warned}${excludedInWords(report)}`,
    'non-conformant': `${plural(fail, 'case')} violated a requirement.`,
    incomplete: 'No violation of a must requirement was found, but some must cases were not tested.',
    error: `The harness itself failed${error > 0 ? ` in ${plural(error, 'case')}` : ''}.`,
  };
  return [reasons[report.verdict]];
}

/** The classes of values that the target file keeps from being sent, as a sentence; empty where there are none. */
function excludedInWords({ target: { excluded = [] } }: Report): string {
  const classes = [...new Set(excluded.map((one) => one.class))];
  if (classes.length === 0) return '';
  return ` Not sent, as the target file excludes them: ${firstFew(classes, 6).join(', ')}.`;
}

/** Whether any case was tested; where none was, the headline says it all. */
export function wasTested({ run, summary: { pass, fail, warn } }: Report): boolean {
  return run.unreachable === undefined || pass + fail + warn > 0;
}

/** Operations by their result, such as `24 of 25 conform, 1 fails`. */
export function operationsInWords(report: Report): string {
  const standings = standingsOf(report);
  const count = (standing: Standing): number => standings.filter((row) => row.standing === standing).length;
  const wordOf = (standing: Standing): string =>
    standing === 'fails' && count(standing) > 1 ? 'fail' : standingMarks[standing].word;
  const others = (Object.keys(standingMarks) as Standing[])
    .filter((standing) => standing !== 'conforms' && count(standing) > 0)
    .map((standing) => `${number(count(standing))} ${wordOf(standing)}`);
  return [`${number(count('conforms'))} of ${number(standings.length)} conform`, ...others].join(', ');
}

/** The planned cases by outcome; progress, plan and doctor count the same cases. */
export function casesInWords({ summary, results }: Report): string {
  const { pass, fail, warn, inconclusive, error } = summary;
  const idle = results.filter(
    ({ outcome, message }) => outcome === 'not-applicable' && message !== notPlanned,
  ).length;
  const tested = pass + fail + warn;
  return [
    `${plural(tested + inconclusive + error + idle, 'case')}: ${number(tested)} tested (${number(pass)} pass, ${number(fail)} fail, ${number(warn)} warn)`,
    ...(idle > 0 ? [`${number(idle)} had nothing to test (such as a 429 that never came)`] : []),
    ...(inconclusive > 0 ? [`${number(inconclusive)} not tested`] : []),
    ...(error > 0 ? [`${number(error)} ended in a harness error`] : []),
  ].join(', ');
}

/** Why a run has no result although no case says so, such as an unreachable target; null where the cases say everything. */
export function runFault({ run, verdict, reasons, summary }: Report): string | null {
  if (run.unreachable !== undefined) return run.unreachable;
  if (run.interrupted) return 'the run was interrupted';
  if (verdict === 'error' && summary.error === 0) return reasons[0] ?? 'a defect of the harness';
  const { pass, fail, warn, error } = summary;
  return pass + fail + warn + error === 0 ? (reasons[0] ?? 'nothing was tested') : null;
}
type Way = Pick<Report['target'], 'embedded'> & { readonly connection?: TargetConnection | undefined };

/** By which way a target was reached, to be put behind its base URL; empty for a plain connection. */
export function wayToTarget({ embedded, connection }: Way): string {
  const { proxy, unixSocket, protocol } = connection ?? {};
  return [
    embedded ? ' (the embedded reference service)' : '',
    unixSocket === undefined ? '' : ` on the socket ${unixSocket}`,
    proxy === undefined ? '' : ` through the proxy ${proxy.host} (${proxy.variable})`,
    protocol === undefined ? '' : ` over ${protocol}`,
    protocol === 'HTTP/1.1' ? ', although the run asked for HTTP/2' : '',
  ].join('');
}
