import type { CaseResult, Finding, Report } from '../model/report.ts';
import { curlFlags, curlLine } from './curl-line.ts';
import { sequenceScript } from './sequence-script.ts';

/** Reproductions that no shell executes: a comment, or the place in a document. */
const inert = /^(?:# [^\r\n]*|see [\w@%+=:,./#~-]+)$/;

/** A report from a file, with reproductions rebuilt from its exchanges, because users paste them into a shell. */
export function withFreshReproductions(report: Report): Report {
  const flags = flagsOf(report);
  const renew = (result: CaseResult): CaseResult => ({
    ...result,
    findings: result.findings.map((finding) =>
      inert.test(finding.reproduction)
        ? finding
        : { ...finding, reproduction: curlLine(finding.exchange, report.target.baseUrl, flags) },
    ),
  });
  const { additional } = report;
  return {
    ...report,
    results: report.results.map(renew),
    ...(additional && { additional: { ...additional, results: additional.results.map(renew) } }),
  };
}

/** The script that sends all steps of a finding; of a finding that one request shows, the line that sends it. */
export function reproductionScript(report: Report, finding: Finding): string {
  return sequenceScript(finding, report.target.baseUrl, flagsOf(report)) ?? finding.reproduction;
}

function flagsOf({ run: { options }, target }: Report): readonly string[] {
  return curlFlags(options, target.connection?.proxy?.variable);
}
