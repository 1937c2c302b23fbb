import type { Acceptance, BaselineEntry, CaseResult, QuestionableEntry, Report } from '../../model/report.ts';
import { caseIdOf } from '../case-result.ts';
import { furtherTriggers, isTested, type WeighedFinding, weighedFindings } from '../findings-by-level.ts';
import type { Baseline } from './read-baseline.ts';

/** The report with what a baseline says of it; outcomes and verdict stay what they are. */
export function withBaseline(report: Report, baseline: Baseline, today: string): Report {
  const { passed, accepted, unaccepted, ...questionable } = compareWithBaseline(report, baseline, today);
  const acceptances = new Map<unknown, Acceptance>(
    accepted.map(({ finding, entry: { reason, owner, expires } }) => [finding, { reason, owner, expires }]),
  );
  return {
    ...report,
    results: report.results.map((result) => ({
      ...result,
      findings: result.findings.map((finding) => {
        const acceptance = acceptances.get(finding);
        return acceptance === undefined ? finding : { ...finding, accepted: acceptance };
      }),
    })),
    baseline: {
      file: baseline.file,
      digest: baseline.digest,
      today,
      passed,
      accepted: accepted.length,
      unaccepted: unaccepted.map(({ finding, result }) => finding?.id ?? caseIdOf(result)),
      ...questionable,
    },
  };
}

/** The day in UTC, such as 2027-01-31; days compare as texts. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** What a baseline says of a run. */
export interface BaselineComparison {
  /** Nothing is new, stale or expired. */
  readonly passed: boolean;
  readonly accepted: ReadonlyArray<WeighedFinding & { readonly entry: BaselineEntry }>;
  /** What fails the run and is not accepted. */
  readonly unaccepted: readonly WeighedFinding[];
  readonly stale: readonly QuestionableEntry[];
  readonly expired: readonly QuestionableEntry[];
  readonly unknown: readonly QuestionableEntry[];
  readonly unjudged: readonly QuestionableEntry[];
}

/** Holds a report against a baseline on a day such as 2027-01-31; an entry counts to the end of its last day. */
export function compareWithBaseline(report: Report, baseline: Baseline, today: string): BaselineComparison {
  const weighed = weighedFindings(report);
  const valid = baseline.accepted.filter(({ expires }) => expires >= today);
  const accepted: Array<WeighedFinding & { entry: BaselineEntry }> = [];
  const unaccepted: WeighedFinding[] = [];
  for (const one of weighed) {
    const entry = valid.find((candidate) => covers(candidate, one));
    if (entry !== undefined) accepted.push({ ...one, entry });
    else if (one.weight === 'fail') unaccepted.push(one);
  }
  const used = new Set(accepted.map(({ entry }) => entry));
  const evaluation = {
    accepted,
    unaccepted,
    expired: baseline.accepted
      .filter(({ expires }) => expires < today)
      .map((entry) => ({ ...entry, why: `it counted to the end of ${entry.expires}` })),
    ...unusedEntries(
      report,
      valid.filter((entry) => !used.has(entry)),
    ),
  };
  const { stale, expired } = evaluation;
  return { passed: unaccepted.length + stale.length + expired.length === 0, ...evaluation };
}

function covers(entry: BaselineEntry, { finding, result }: WeighedFinding): boolean {
  return (
    finding !== null &&
    entry.finding === finding.id &&
    isAbout(entry, result) &&
    furtherTriggers(entry, finding).length === 0
  );
}

/** Whether an entry says nothing that speaks against its being about this case. */
function isAbout(entry: BaselineEntry, result: CaseResult): boolean {
  const { operation, requirement, check } = entry;
  return (
    (operation === undefined || operation === result.operation) &&
    (requirement === undefined || requirement === result.requirement) &&
    (check === undefined || check === result.check)
  );
}

type Unused = Pick<BaselineComparison, 'stale' | 'unknown' | 'unjudged'>;

function unusedEntries(report: Report, entries: readonly BaselineEntry[]): Unused {
  const sorted = { stale: [], unknown: [], unjudged: [] } as Record<keyof Unused, QuestionableEntry[]>;
  for (const entry of entries) {
    const [kind, why] = whyUnused(report, entry);
    sorted[kind].push({ ...entry, why });
  }
  return sorted;
}

function whyUnused(report: Report, entry: BaselineEntry): readonly [kind: keyof Unused, why: string] {
  const { operation, requirement, check, finding } = entry;
  const seen = report.results.find(({ findings }) => findings.some(({ id }) => id === finding));
  const further = furtherTriggers(entry, seen?.findings.find(({ id }) => id === finding) ?? {});
  if (seen !== undefined && !isAbout(entry, seen)) {
    return ['unknown', `the finding is ${seen.requirement} at ${seen.operation}, by ${seen.check}`];
  }
  if (further.length > 0) return ['unknown', `the finding also shows with: ${further.join('; ')}`];
  if (seen !== undefined) return ['unknown', 'what it finds is only noted, and needs no acceptance'];
  if (operation !== undefined && !report.operations.some(({ id }) => id === operation)) {
    return ['unknown', `there is no operation ${operation}`];
  }
  const cases = report.results.filter((result) => isAbout(entry, result));
  const isWhole = isWholeRun(report);
  if (cases.length === 0) {
    if (!isWhole) return ['unjudged', 'its case was not in this run'];
    const named = [check, requirement, operation].filter((name) => name !== undefined).join(' at ');
    return ['unknown', `there is no case of ${named}`];
  }
  const notTested = cases.find(({ outcome }) => outcome === 'inconclusive' || outcome === 'error');
  const planned = cases.filter(({ outcome }) => outcome !== 'not-applicable');
  const isNarrow = operation !== undefined && (requirement !== undefined || check !== undefined);
  if (planned.length === 0) return ['unknown', 'the requirement says nothing of this operation'];
  if (notTested !== undefined) {
    if (isNarrow) return ['unjudged', `its case was not tested: ${notTested.message}`];
    return [
      'unknown',
      'no such finding was seen; name its operation and requirement to learn whether its case was tested',
    ];
  }
  // Without them all, a filter may have left out just the case that it is about.
  if (!isWhole && (!isNarrow || check === undefined)) {
    return ['unjudged', 'this run left out cases that it may be about'];
  }
  return planned.every(isTested)
    ? ['stale', 'its case was tested, and the finding was not seen']
    : ['unjudged', 'its case was not tested'];
}

/** Whether the run had all cases, tested or not. */
function isWholeRun({ run }: Report): boolean {
  return [run.options['operation'], run.options['check']].every(
    (globs) => globs === undefined || [globs].flat().length === 0,
  );
}
