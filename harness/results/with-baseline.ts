import type { Acceptance, Report } from '../model/report.ts';
import type { Baseline } from './baseline.ts';
import { compareWithBaseline } from './compare-with-baseline.ts';

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
      unaccepted: unaccepted.map(
        ({ finding, result }) => finding?.id ?? `${result.operation}/${result.check}`,
      ),
      ...questionable,
    },
  };
}
