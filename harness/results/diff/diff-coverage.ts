import type { CaseResult, Report } from '../../model/report.ts';
import { caseIdOf } from '../case-result.ts';
import { isTested } from '../findings-by-level.ts';
import { lacksRequests } from './comparability.ts';
import type { CaseChange, ReportDiff, StatusChange } from './report-diff.ts';

type CoverageChanges = Pick<
  ReportDiff,
  'coverageLost' | 'coverageGained' | 'statusesLost' | 'statusesGained'
>;

/** Cases that only one of the runs tested, and statuses that only one of them saw. */
export function diffCoverage(
  before: Report,
  after: Report,
  isExcluded: (result: CaseResult) => boolean,
): CoverageChanges {
  return {
    coverageLost: testedOnlyIn(before, after)
      .filter(([lost, other]) => !isExcluded(lost) && !(other !== undefined && lacksRequests(other)))
      .map(([lost, other]) => changeOf(lost, lost, other, other)),
    coverageGained: testedOnlyIn(after, before).map(([gained, other]) =>
      changeOf(gained, other, gained, other),
    ),
    statusesLost: seenOnlyIn(before, after),
    statusesGained: seenOnlyIn(after, before),
  };
}

function testedOnlyIn(
  one: Report,
  other: Report,
): ReadonlyArray<readonly [tested: CaseResult, other: CaseResult | undefined]> {
  const others = new Map(other.results.map((result) => [caseIdOf(result), result]));
  return (
    one.results
      .filter(isTested)
      .map((tested) => [tested, others.get(caseIdOf(tested))] as const)
      // A case that nobody can force, such as a 429, may be tested in one run and not in the next.
      .filter(([, same]) => same === undefined || (!isTested(same) && same.outcome !== 'not-applicable'))
  );
}

function changeOf(
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

function seenOnlyIn(one: Report, other: Report): readonly StatusChange[] {
  const keyOf = ({ operation, status }: StatusChange): string => `${operation} ${status}`;
  const seenIn = ({ coverage }: Report): readonly StatusChange[] =>
    coverage.filter(({ observed }) => observed > 0);
  const elsewhere = new Set(seenIn(other).map(keyOf));
  return seenIn(one)
    .filter((seen) => !elsewhere.has(keyOf(seen)))
    .map(({ operation, status }) => ({ operation, status }));
}
