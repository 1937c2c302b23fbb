import { isCustom } from '../../harness/checks/custom-check.ts';
import type { Report, Summary } from '../../harness/model/report.ts';
import { summarise } from '../../harness/results/verdict.ts';

function baselineContradictions({ baseline, results }: Report): string[] {
  const accepted = results
    .flatMap(({ findings }) => findings)
    .filter((finding) => finding.accepted !== undefined);
  if (baseline === undefined)
    return accepted.length === 0 ? [] : ['findings are accepted, but no baseline is named'];
  const problems: string[] = [];
  if (baseline.accepted !== accepted.length) {
    problems.push(`baseline.accepted is ${baseline.accepted}, but ${accepted.length} findings are accepted`);
  }
  const failed = baseline.unaccepted.length + baseline.stale.length + baseline.expired.length;
  const bare = results.some(
    ({ outcome, findings }) =>
      outcome === 'fail' && !findings.some((finding) => finding.accepted !== undefined),
  );
  if (baseline.passed && (failed > 0 || bare)) {
    problems.push('baseline.passed is true, but something is not accepted, stale or expired');
  }
  return problems;
}

/** What checks of the user came to must stand apart, or it could pass for what ours did. */
function additionalContradictions({ additional, results }: Report): string[] {
  const among = results.find(({ check }) => isCustom(check));
  const problems = among === undefined ? [] : [`results hold ${among.check}, which belongs to additional`];
  if (additional === undefined) return problems;
  const counted = summarise(additional.results);
  for (const outcome of Object.keys(counted) as (keyof Summary)[]) {
    if (counted[outcome] !== additional.summary[outcome])
      problems.push(
        `additional.summary.${outcome} is ${additional.summary[outcome]}, but its results hold ${counted[outcome]}`,
      );
  }
  const foreign = additional.results.find(({ check }) => !isCustom(check));
  if (foreign !== undefined)
    problems.push(`additional holds ${foreign.check}, which is no check of the user`);
  return problems;
}

/** What in a report contradicts itself, which no schema can see; empty where nothing does. */
export function contradictionsOf(report: Report): string[] {
  const counted = summarise(report.results);
  const problems = (Object.keys(counted) as (keyof Summary)[])
    .filter((outcome) => counted[outcome] !== report.summary[outcome])
    .map(
      (outcome) => `summary.${outcome} is ${report.summary[outcome]}, but results hold ${counted[outcome]}`,
    );
  problems.push(...additionalContradictions(report));
  const { verdict, complete } = report;
  if (counted.fail > 0 && (verdict === 'conformant' || verdict === 'incomplete')) {
    problems.push(`verdict is ${verdict}, but ${counted.fail} of the results are a fail`);
  }
  if (!/^https?:\/\/[^/?#]/.test(report.target.baseUrl) || !URL.canParse(report.target.baseUrl))
    problems.push('target.baseUrl is not an http or https URL');
  if (verdict === 'conformant' && !complete) problems.push('verdict is conformant, but complete is false');
  if (verdict === 'conformant' && counted.error > 0) {
    problems.push(`verdict is conformant, but ${counted.error} of the results are a harness error`);
  }
  problems.push(...baselineContradictions(report));
  const known = new Set(report.operations.map(({ id }) => id));
  const unknown = report.results.find(({ operation }) => !known.has(operation));
  if (unknown !== undefined) problems.push(`results name ${unknown.operation}, which operations do not`);
  return problems;
}
