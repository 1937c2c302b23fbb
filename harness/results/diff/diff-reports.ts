import type { CaseResult, Report } from '../../model/report.ts';
import { caseIdOf } from '../case-result.ts';
import { furtherTriggers, isTested, type WeighedFinding, weighedFindings } from '../findings-by-level.ts';
import { comparabilityOf, lacksRequests } from './comparability.ts';
import { diffShapes, isBreaking } from './diff-shapes.ts';
import type { BodyChange, CaseChange, FindingChange, ReportDiff, StatusChange } from './report-diff.ts';

/** One of two reports, with its findings and its results by their ids. */
interface Side {
  readonly report: Report;
  readonly weighed: readonly WeighedFinding[];
  readonly findings: ReadonlyMap<string, WeighedFinding>;
  readonly results: ReadonlyMap<string, CaseResult>;
}

/** The changes from an older report to a newer one. */
export function diffReports(before: Report, after: Report): ReportDiff {
  const { obstacles, notes, isExcluded, sendsLess } = comparabilityOf(before, after);
  const [old, now] = [sideOf(before), sideOf(after)];
  const coverageLost = testedOnlyIn(old, now)
    .filter(([lost, other]) => !isExcluded(lost) && !(other !== undefined && lacksRequests(other)))
    .map(([lost, other]) => caseChange(lost, lost, other, other));
  const coverageGained = testedOnlyIn(now, old).map(([gained, other]) =>
    caseChange(gained, other, gained, other),
  );
  // A finding that the newer run did not test for is neither fixed nor still there.
  const gone = (weight: WeighedFinding['weight']): readonly FindingChange[] =>
    findingChanges(old, now, (one, same, result) => {
      const isGone = !sendsLess && same === undefined && result !== undefined && isTested(result);
      return one.weight === weight && isGone;
    });
  const come = (weight: WeighedFinding['weight']): readonly FindingChange[] =>
    findingChanges(now, old, (one, same) => one.weight === weight && isNew(one, same));
  const newFailures = come('fail');
  const bodies = diffBodies(before, after);
  return {
    old: aboutSide(before),
    new: aboutSide(after),
    obstacles,
    notes,
    regressions: newFailures.length + coverageLost.length + bodies.filter(({ breaking }) => breaking).length,
    newFailures,
    fixed: gone('fail'),
    stillFailing: findingChanges(now, old, (one, same) => one.weight === 'fail' && !isNew(one, same)),
    newWarnings: come('warn'),
    fixedWarnings: gone('warn'),
    coverageLost,
    coverageGained,
    statusesLost: seenOnlyIn(before, after),
    statusesGained: seenOnlyIn(after, before),
    bodies,
  };
}

/** 1 if something got worse, 3 if that is unknown, otherwise 0. */
export function exitCodeOfDiff({ regressions, obstacles }: ReportDiff): 0 | 1 | 3 {
  if (regressions > 0) return 1;
  return obstacles.length > 0 ? 3 : 0;
}

function sideOf(report: Report): Side {
  const weighed = weighedFindings(report);
  return {
    report,
    weighed,
    findings: new Map(weighed.map((one) => [keyOf(one), one])),
    results: new Map(report.results.map((result) => [caseIdOf(result), result])),
  };
}

function aboutSide({ target, run, harness, contract, verdict }: Report): ReportDiff['old'] {
  return {
    baseUrl: target.baseUrl,
    startedAt: run.startedAt,
    harness: `${harness.name} ${harness.version}`,
    contract: contract.digest,
    verdict,
  };
}

function keyOf({ result, finding }: WeighedFinding): string {
  return `${caseIdOf(result)} ${finding?.id ?? ''}`;
}

/** Whether the finding had another weight before, or something shows it that did not. */
function isNew(one: WeighedFinding, same: WeighedFinding | undefined): boolean {
  return one.weight !== same?.weight || furtherTriggers(same.finding ?? {}, one.finding ?? {}).length > 0;
}

/** The findings of one side that are selected by what the other side knows about them and their case. */
function findingChanges(
  of: Side,
  other: Side,
  isWanted: (one: WeighedFinding, same?: WeighedFinding, result?: CaseResult) => boolean,
): readonly FindingChange[] {
  return of.weighed.flatMap((one) => {
    const otherResult = other.results.get(caseIdOf(one.result));
    if (!isWanted(one, other.findings.get(keyOf(one)), otherResult)) return [];
    const { operation, check, requirement } = one.result;
    const { level, message, expected, actual } = one.finding ?? one.result;
    const finding = one.finding?.id ?? null;
    const otherwise = otherResult?.outcome ?? 'absent';
    return [{ operation, check, requirement, level, message, expected, actual, finding, otherwise }];
  });
}

/** Cases that only one of the runs tested. */
function testedOnlyIn(
  { report }: Side,
  { results }: Side,
): ReadonlyArray<readonly [tested: CaseResult, other: CaseResult | undefined]> {
  return (
    report.results
      .filter(isTested)
      .map((tested) => [tested, results.get(caseIdOf(tested))] as const)
      // A case that nobody can force, such as a 429, may be tested in one run and not in the next.
      .filter(([, same]) => same === undefined || (!isTested(same) && same.outcome !== 'not-applicable'))
  );
}

function caseChange(
  { operation, check, requirement }: CaseResult,
  before: CaseResult | undefined,
  after: CaseResult | undefined,
  untested: CaseResult | undefined,
): CaseChange {
  return {
    operation,
    check,
    requirement,
    before: before?.outcome ?? 'absent',
    after: after?.outcome ?? 'absent',
    why: untested?.message ?? `not in the ${after === undefined ? 'new' : 'old'} report`,
  };
}

/** Statuses that only one of the runs saw. */
function seenOnlyIn(one: Report, other: Report): readonly StatusChange[] {
  const keyOfStatus = ({ operation, status }: StatusChange): string => `${operation} ${status}`;
  const seenIn = ({ coverage }: Report): readonly StatusChange[] =>
    coverage.filter(({ observed }) => observed > 0);
  const elsewhere = new Set(seenIn(other).map(keyOfStatus));
  return seenIn(one)
    .filter((seen) => !elsewhere.has(keyOfStatus(seen)))
    .map(({ operation, status }) => ({ operation, status }));
}

function diffBodies(before: Report, after: Report): readonly BodyChange[] {
  const now = new Map(
    (after.shapes ?? []).map((entry) => [`${entry.operation} ${entry.status}`, entry.shape]),
  );
  return (before.shapes ?? []).flatMap(({ operation, status, shape }) => {
    const later = now.get(`${operation} ${status}`);
    const changes = later === undefined ? [] : diffShapes(shape, later);
    return changes.map((change) => ({ operation, status, ...change, breaking: isBreaking(change) }));
  });
}
