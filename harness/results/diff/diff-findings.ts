import type { CaseResult, Report } from '../../model/report.ts';
import { caseIdOf } from '../case-result.ts';
import { furtherTriggers, isTested, type WeighedFinding, weighedFindings } from '../findings-by-level.ts';
import type { FindingChange, ReportDiff } from './report-diff.ts';

type FindingChanges = Pick<
  ReportDiff,
  'newFailures' | 'fixed' | 'stillFailing' | 'newWarnings' | 'fixedWarnings'
>;

/** The findings and the results of one report. */
interface Side {
  readonly all: readonly WeighedFinding[];
  readonly findings: ReadonlyMap<string, WeighedFinding>;
  readonly results: ReadonlyMap<string, CaseResult>;
}

/** New, fixed and remaining findings; a finding that the newer run did not test for is none of these. */
export function diffFindings(before: Report, after: Report, sendsLess: boolean): FindingChanges {
  const old = sideOf(before);
  const now = sideOf(after);
  const gone = (weight: WeighedFinding['weight']): readonly FindingChange[] =>
    changes(old, now, (one, same, result) => {
      const isGone = !sendsLess && same === undefined && result !== undefined && isTested(result);
      return one.weight === weight && isGone;
    });
  const come = (weight: WeighedFinding['weight']): readonly FindingChange[] =>
    changes(now, old, (one, same) => one.weight === weight && isNew(one, same));
  return {
    newFailures: come('fail'),
    fixed: gone('fail'),
    stillFailing: changes(now, old, (one, same) => one.weight === 'fail' && !isNew(one, same)),
    newWarnings: come('warn'),
    fixedWarnings: gone('warn'),
  };
}

function sideOf(report: Report): Side {
  const all = weighedFindings(report);
  return {
    all,
    findings: new Map(all.map((one) => [keyOf(one), one])),
    results: new Map(report.results.map((result) => [caseIdOf(result), result])),
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
function changes(
  of: Side,
  other: Side,
  isWanted: (
    one: WeighedFinding,
    same: WeighedFinding | undefined,
    result: CaseResult | undefined,
  ) => boolean,
): readonly FindingChange[] {
  return of.all.flatMap((one) => {
    const otherResult = other.results.get(caseIdOf(one.result));
    if (!isWanted(one, other.findings.get(keyOf(one)), otherResult)) return [];
    const { operation, check, requirement } = one.result;
    const { level, message, expected, actual } = one.finding ?? one.result;
    const finding = one.finding?.id ?? null;
    const otherwise = otherResult?.outcome ?? 'absent';
    return [{ operation, check, requirement, level, message, expected, actual, finding, otherwise }];
  });
}
