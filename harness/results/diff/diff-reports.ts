import type { CaseResult, CoverageEntry, Finding, Outcome, Report } from '../../model/report.ts';
import { profiles } from '../../sampling/profile.ts';
import { caseIdOf, furtherTriggers, isTested, type WeighedFinding, weighedFindings } from '../case-result.ts';
import { shardInWords } from '../shard-text.ts';
import { casesInWords } from '../verdict.ts';
import { diffShapes, isBreaking, type ShapeChange } from './diff-shapes.ts';

interface DiffSide {
  readonly baseUrl: string;
  readonly startedAt: string;
  readonly harness: string;
  readonly contract: string;
  readonly verdict: string;
}

type CaseOf = Pick<CaseResult, 'operation' | 'check' | 'requirement'>;

/** A finding that came, went or stayed. */
export interface FindingChange extends CaseOf, Pick<CaseResult, 'level' | 'message' | 'expected' | 'actual'> {
  /** Null if a failed case has no findings. */
  readonly finding: Finding['id'] | null;
  /** The outcome of the case in the other report. */
  readonly otherwise: Outcome | 'absent';
}

/** A case that only one of the reports tested. */
export interface CaseChange extends CaseOf {
  readonly before: Outcome | 'absent';
  readonly after: Outcome | 'absent';
  /** Why the other report did not test it. */
  readonly why: string;
}

/** A documented status that only one of the runs saw. */
export type StatusChange = Pick<CoverageEntry, 'operation' | 'status'>;

/** A change of the bodies with which an operation answers a status. */
export interface BodyChange extends ShapeChange, StatusChange {
  readonly breaking: boolean;
}

/** The differences between two reports. */
export interface ReportDiff {
  readonly old: DiffSide;
  readonly new: DiffSide;
  /** Why the two cannot be compared, or not in all; empty where they can. */
  readonly obstacles: readonly string[];
  /** Other differences between the runs. */
  readonly notes: readonly string[];
  /** Number of changes for the worse. */
  readonly regressions: number;
  readonly newFailures: readonly FindingChange[];
  readonly fixed: readonly FindingChange[];
  readonly stillFailing: readonly FindingChange[];
  readonly newWarnings: readonly FindingChange[];
  readonly fixedWarnings: readonly FindingChange[];
  readonly coverageLost: readonly CaseChange[];
  readonly coverageGained: readonly CaseChange[];
  readonly statusesLost: readonly StatusChange[];
  readonly statusesGained: readonly StatusChange[];
  readonly bodies: readonly BodyChange[];
}
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
    .map(([lost, other]) => caseChange(lost, other, 'new'));
  const coverageGained = testedOnlyIn(now, old).map(([gained, other]) => caseChange(gained, other, 'old'));
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

function aboutSide(report: Report): ReportDiff['old'] {
  const { baseUrl } = report.target;
  const { startedAt } = report.run;
  const { digest: contract } = report.contract;
  return { baseUrl, startedAt, harness: versionOf(report), contract, verdict: report.verdict };
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

/** The change of a case that one report tested and the other one, which is old or new, did not. */
function caseChange(tested: CaseResult, other: CaseResult | undefined, otherIs: 'old' | 'new'): CaseChange {
  const { operation, check, requirement, outcome } = tested;
  const otherwise: CaseChange['before'] = other?.outcome ?? 'absent';
  const [before, after] = otherIs === 'new' ? [outcome, otherwise] : [otherwise, outcome];
  const why = other?.message ?? `not in the ${otherIs} report`;
  return { operation, check, requirement, before, after, why };
}
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

/** Options that affect the tested cases and their strictness, with their default values. */
const weightyOptions = {
  profile: 'standard',
  strict: false,
  readOnly: false,
  spec: false,
  provokeRateLimit: false,
} as const;

/** What makes two reports hard to compare. */
function comparabilityOf(before: Report, after: Report) {
  const sides = [
    ['older', before],
    ['newer', after],
  ] as const;
  const known = new Set(after.results.map(({ check }) => check));
  const present = new Set(after.results.map(caseIdOf));
  const isOtherHarness = versionOf(before) !== versionOf(after);
  const isOtherChoice = filterOf(before) !== filterOf(after);
  const isFiltered = isOtherChoice && filterOf(after) !== '';
  const isPart = after.run.shard !== undefined;
  // A finding that the newer run does not show may still be there.
  const sendsLess = rankOf(after) < rankOf(before);
  // Whether the newer run was never asked about a case that the older one has.
  const isExcluded = (result: CaseResult): boolean =>
    !present.has(caseIdOf(result)) &&
    (isFiltered || isPart || sendsLess || (isOtherHarness && !known.has(result.check)));
  const tested = before.results.filter(isTested);
  const left = tested.filter(isExcluded);
  const testedBefore = new Set(tested.map(caseIdOf));
  const unsent = after.results.filter((one) => testedBefore.has(caseIdOf(one)) && lacksRequests(one)).length;
  const gone = isFiltered || sendsLess ? '' : [...new Set(left.map(({ check }) => check))].join(', ');
  const areBothEmbedded = before.target.embedded && after.target.embedded;
  const obstacles = [
    before.contract.digest !== after.contract.digest &&
      'they were tested against different versions of the contract',
    unsent > 0 &&
      `the newer run had no requests left for ${casesInWords(unsent)} that the older one tested: raise its --max-requests`,
    isFiltered &&
      left.length > 0 &&
      `the newer run left out, by --operation or --check, ${casesInWords(left.length)} that the older one evaluated`,
    ...sides.flatMap(([name, { run, shapes }]) => [
      run.shard !== undefined &&
        `the ${name} report is that of ${shardInWords(run.shard)} alone: merge all first`,
      shapes === undefined && `the ${name} report holds no shapes of bodies, so these were not compared`,
    ]),
  ];
  const notes = [
    isOtherChoice &&
      !isFiltered &&
      'the older run was limited by --operation or --check: what it left out counts as gained',
    isOtherHarness &&
      `the harness was ${versionOf(before)} and is ${versionOf(after)}${gone === '' ? '' : `; it no longer has ${gone}`}`,
    ...sides.flatMap(([name, { run }]) => [
      run.interrupted && `the ${name} run was interrupted`,
      run.unreachable !== undefined && `in the ${name} run: ${run.unreachable}`,
    ]),
    before.target.baseUrl !== after.target.baseUrl &&
      !areBothEmbedded &&
      `the target was ${before.target.baseUrl} and is ${after.target.baseUrl}`,
    ...Object.entries(weightyOptions).map(([name, usual]) => {
      const [old, now] = [before, after].map(({ run }) => settingText(run.options[name] ?? usual));
      const flag = `--${name.replace(/[A-Z]/g, '-$&').toLowerCase()}`;
      return old !== now && `${flag}: ${old} in the older run, ${now} in the newer one`;
    }),
    ...(sendsLess
      ? [
          !isFiltered &&
            left.length > 0 &&
            `not part of the ${profileOf(after)} profile: ${casesInWords(left.length)} that the older run tested`,
          'the newer run sends less: a finding that it does not show may still be there',
        ]
      : []),
  ];
  const texts = (all: readonly (string | false)[]): string[] => all.filter((text) => text !== false);
  return { obstacles: texts(obstacles), notes: texts(notes), isExcluded, sendsLess };
}

function lacksRequests({ outcome, remedy }: CaseResult): boolean {
  return outcome === 'inconclusive' && remedy?.includes('--max-requests') === true;
}

function profileOf({ run }: Report): string {
  return String(run.options['profile'] ?? weightyOptions.profile);
}

/** Each profile sends everything that the profiles before it send. */
function rankOf(report: Report): number {
  return profiles.map(String).indexOf(profileOf(report));
}

function settingText(value: unknown): string {
  return typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);
}

function versionOf({ harness }: Report): string {
  return `${harness.name} ${harness.version}`;
}

function filterOf({ run }: Report): string {
  return [run.options['operation'], run.options['check']]
    .map((globs) => [globs ?? []].flat().map(String).sort().join())
    .join(' ')
    .trim();
}
