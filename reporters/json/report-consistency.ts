import { isCustom } from '../../harness/checks/custom-check.ts';
import type { Finding, Report, Summary } from '../../harness/model/report.ts';
import { summarise } from '../../harness/results/verdict.ts';

/** Contradictions within a report that no schema can detect; empty for none. */
export function contradictionsOf(report: Report): string[] {
  const { results, summary, verdict, complete, target } = report;
  const counted = summarise(results);
  const isPassed = verdict === 'conformant' || verdict === 'incomplete';
  const known = new Set(report.operations.map(({ id }) => id));
  const unknown = results.find(({ operation }) => !known.has(operation));
  return [
    ...miscounts('summary', summary, counted, 'results hold'),
    ...additionalContradictions(report),
    counted.fail > 0 && isPassed && `verdict is ${verdict}, but ${counted.fail} of the results are a fail`,
    (!/^https?:\/\/[^/?#]/.test(target.baseUrl) || !URL.canParse(target.baseUrl)) &&
      'target.baseUrl is not an http or https URL',
    verdict === 'conformant' && !complete && 'verdict is conformant, but complete is false',
    verdict === 'conformant' &&
      counted.error > 0 &&
      `verdict is conformant, but ${counted.error} of the results are a harness error`,
    ...baselineContradictions(report),
    unknown !== undefined && `results name ${unknown.operation}, which operations lacks`,
  ].filter((problem) => typeof problem === 'string');
}

function miscounts(name: string, told: Summary, counted: Summary, where: string): string[] {
  return (Object.keys(counted) as (keyof Summary)[])
    .filter((outcome) => counted[outcome] !== told[outcome])
    .map((outcome) => `${name}.${outcome} is ${told[outcome]}, but ${where} ${counted[outcome]}`);
}

/** Results of custom checks must be separate, or they could be mistaken for those of built-in checks. */
function additionalContradictions({ additional, results }: Report): (string | false)[] {
  const among = results.find(({ check }) => isCustom(check));
  const own = additional?.results ?? [];
  const foreign = own.find(({ check }) => !isCustom(check));
  return [
    among !== undefined && `results hold ${among.check}, which belongs to additional`,
    ...(additional === undefined
      ? []
      : miscounts('additional.summary', additional.summary, summarise(own), 'its results hold')),
    foreign !== undefined && `additional holds ${foreign.check}, which is not a custom check`,
  ];
}

function baselineContradictions({ baseline, results }: Report): (string | false)[] {
  const isAccepted = ({ accepted }: Finding): boolean => accepted !== undefined;
  const accepted = results.flatMap(({ findings }) => findings).filter(isAccepted).length;
  if (baseline === undefined) return [accepted > 0 && 'findings are accepted, but no baseline is named'];
  const failed = baseline.unaccepted.length + baseline.stale.length + baseline.expired.length;
  const isBare = results.some(({ outcome, findings }) => outcome === 'fail' && !findings.some(isAccepted));
  return [
    baseline.accepted !== accepted &&
      `baseline.accepted is ${baseline.accepted}, but ${accepted} findings are accepted`,
    baseline.passed &&
      (failed > 0 || isBare) &&
      'baseline.passed is true, but something is not accepted, stale or expired',
  ];
}
