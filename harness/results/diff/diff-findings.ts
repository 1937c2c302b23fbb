import type { Report } from '../../model/report.ts';
import { caseIdOf } from '../case-result.ts';
import { furtherTriggers, isTested, type WeighedFinding, weighedFindings } from '../findings-by-level.ts';
import type { FindingChange, ReportDiff } from './report-diff.ts';

type FindingChanges = Pick<
  ReportDiff,
  'newFailures' | 'fixed' | 'stillFailing' | 'newWarnings' | 'fixedWarnings'
>;

/** Findings that came, went and stayed; a finding of an untested case is neither fixed nor present. */
export function diffFindings(before: Report, after: Report): FindingChanges {
  const old = new Sightings(before);
  const now = new Sightings(after);
  const gone = (weight: WeighedFinding['weight']): readonly FindingChange[] =>
    old.all
      .filter((one) => one.weight === weight && now.weightOf(one) === undefined && now.hasTested(one))
      .map((one) => changeOf(one, now));
  const come = (weight: WeighedFinding['weight']): readonly FindingChange[] =>
    now.all
      .filter((one) => one.weight === weight && (old.weightOf(one) !== weight || old.lacksTriggersOf(one)))
      .map((one) => changeOf(one, old));
  return {
    newFailures: come('fail'),
    fixed: gone('fail'),
    stillFailing: now.all
      .filter((one) => one.weight === 'fail' && old.weightOf(one) === 'fail' && !old.lacksTriggersOf(one))
      .map((one) => changeOf(one, old)),
    newWarnings: come('warn'),
    fixedWarnings: gone('warn'),
  };
}

/** The findings of one report, and what came of its cases. */
class Sightings {
  readonly all: readonly WeighedFinding[];
  readonly #weights: ReadonlyMap<string, WeighedFinding['weight']>;
  readonly #results: ReadonlyMap<string, Report['results'][number]>;

  constructor(report: Report) {
    this.all = weighedFindings(report);
    this.#weights = new Map(this.all.map((one) => [keyOf(one), one.weight]));
    this.#results = new Map(report.results.map((result) => [caseIdOf(result), result]));
  }

  weightOf(one: WeighedFinding): WeighedFinding['weight'] | undefined {
    return this.#weights.get(keyOf(one));
  }

  /** Whether something shows the finding now that did not show it in this report. */
  lacksTriggersOf(one: WeighedFinding): boolean {
    const same = this.all.find((other) => keyOf(other) === keyOf(one));
    return furtherTriggers(same?.finding ?? {}, one.finding ?? {}).length > 0;
  }

  hasTested(one: WeighedFinding): boolean {
    const result = this.#resultOf(one);
    return result !== undefined && isTested(result);
  }

  outcomeOf(one: WeighedFinding): FindingChange['otherwise'] {
    return this.#resultOf(one)?.outcome ?? 'absent';
  }

  #resultOf({ result }: WeighedFinding): Report['results'][number] | undefined {
    return this.#results.get(caseIdOf(result));
  }
}

function keyOf({ result, finding }: WeighedFinding): string {
  return `${caseIdOf(result)} ${finding?.id ?? ''}`;
}

function changeOf(one: WeighedFinding, other: Sightings): FindingChange {
  const { result, finding } = one;
  const { operation, check, requirement } = result;
  const { level, message, expected, actual } = finding ?? result;
  const otherwise = other.outcomeOf(one);
  return {
    operation,
    check,
    requirement,
    level,
    message,
    expected,
    actual,
    finding: finding?.id ?? null,
    otherwise,
  };
}
