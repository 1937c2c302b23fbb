import type { Report, Summary } from '../../harness/report/report.ts';

function countOf(report: Report): Summary {
  const count = (outcome: string): number =>
    report.results.filter((result) => result.outcome === outcome).length;
  return {
    pass: count('pass'),
    fail: count('fail'),
    warn: count('warn'),
    inconclusive: count('inconclusive'),
    notApplicable: count('not-applicable'),
    error: count('error'),
  };
}

/** What in a report contradicts itself, which no schema can see; empty where nothing does. */
export function contradictionsOf(report: Report): string[] {
  const counted = countOf(report);
  const problems = (Object.keys(counted) as (keyof Summary)[])
    .filter((outcome) => counted[outcome] !== report.summary[outcome])
    .map(
      (outcome) => `summary.${outcome} is ${report.summary[outcome]}, but results hold ${counted[outcome]}`,
    );
  const { verdict, complete } = report;
  if (counted.fail > 0 && (verdict === 'conformant' || verdict === 'incomplete')) {
    problems.push(`verdict is ${verdict}, but ${counted.fail} of the results are a fail`);
  }
  if (verdict === 'conformant' && !complete) problems.push('verdict is conformant, but complete is false');
  if (verdict === 'conformant' && counted.error > 0) {
    problems.push(`verdict is conformant, but ${counted.error} of the results are a harness error`);
  }
  const known = new Set(report.operations.map(({ id }) => id));
  const unknown = report.results.find(({ operation }) => !known.has(operation));
  if (unknown !== undefined) problems.push(`results name ${unknown.operation}, which operations do not`);
  return problems;
}
