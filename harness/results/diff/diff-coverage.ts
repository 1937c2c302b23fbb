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
      .filter(
        ({ evaluated, other }) =>
          !isExcluded(evaluated) &&
          !hasNotApplicableReason(other) &&
          !(other !== undefined && lacksRequests(other)),
      )
      .map(({ evaluated, other }) => changeOf(evaluated, evaluated, other, whyNot(other))),
    coverageGained: testedOnlyIn(after, before)
      .filter(({ other }) => !hasNotApplicableReason(other))
      .map(({ evaluated, other }) => changeOf(evaluated, other, evaluated, whyNot(other))),
    statusesLost: seenOnlyIn(before, after),
    statusesGained: seenOnlyIn(after, before),
  };
}

function whyNot(other: CaseResult | undefined): string {
  return other?.message ?? 'the case is not in the report';
}

/** A case that nobody can force, such as a 429, may be tested in one run and not in the next. */
function hasNotApplicableReason(result: CaseResult | undefined): boolean {
  return result?.outcome === 'not-applicable';
}

function testedOnlyIn(
  one: Report,
  other: Report,
): ReadonlyArray<{ readonly evaluated: CaseResult; readonly other: CaseResult | undefined }> {
  const others = new Map(other.results.map((result) => [caseIdOf(result), result]));
  return one.results.filter(isTested).flatMap((evaluated) => {
    const same = others.get(caseIdOf(evaluated));
    return same !== undefined && isTested(same) ? [] : [{ evaluated, other: same }];
  });
}

function changeOf(
  { operation, check, requirement }: CaseResult,
  before: CaseResult | undefined,
  after: CaseResult | undefined,
  why: string,
): CaseChange {
  return {
    operation,
    check,
    requirement,
    before: before?.outcome ?? 'absent',
    after: after?.outcome ?? 'absent',
    why,
  };
}

function seenOnlyIn(one: Report, other: Report): readonly StatusChange[] {
  const observed = ({ coverage }: Report): ReadonlySet<string> =>
    new Set(
      coverage.filter((entry) => entry.observed > 0).map(({ operation, status }) => `${operation} ${status}`),
    );
  const seen = observed(one);
  const elsewhere = observed(other);
  return one.coverage
    .filter(
      ({ operation, status }) =>
        seen.has(`${operation} ${status}`) && !elsewhere.has(`${operation} ${status}`),
    )
    .map(({ operation, status }) => ({ operation, status }));
}
