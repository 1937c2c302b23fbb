// A program as somebody else writes it, against the packed package: compiled and run by its situation.
import {
  type CaseResult,
  type ConformanceOptions,
  exitCodeOf,
  parseReport,
  type Report,
  renderReport,
  runConformance,
  UsageError,
  verifyCertificate,
} from 'commerce-conformance';
import { type Check, exampleExchange, statusOf } from 'commerce-conformance/checks';

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

const applies: Check['applies'] = ({ method }) => method === 'GET';
must(
  statusOf(exampleExchange({ status: 200 })) === 200 && applies.length === 1,
  'the helpers for checks are gone',
);

const written: string[] = [];
for (const stream of [process.stdout, process.stderr]) {
  stream.write = ((text: string) => written.push(String(text)) > 0) as typeof stream.write;
}
const heard: number[] = [];
const options: ConformanceOptions = {
  options: { seed: 7, check: ['auth/*'] },
  evidence: 'evidence.har',
  onProgress: ({ casesDone, casesTotal }) => heard.push(casesDone / casesTotal),
};
const { report, exitCode, evidence } = await runConformance(options);
const verdict: Report['verdict'] = report.verdict;
const failed: readonly CaseResult[] = report.results.filter(({ outcome }) => outcome === 'fail');
must(verdict === 'incomplete' && failed.length === 0 && exitCode === 0, `it is ${verdict}`);
must(exitCodeOf(report, false) === 0 && process.exitCode === undefined, 'an exit code was set');
must(evidence?.written === true && heard.at(-1) === 1, 'no evidence or no progress');
const [json] = await renderReport(report, 'json');
must(parseReport(json?.text ?? '').run.seed === 7, 'the report cannot be read again');

const interruption = new AbortController();
const interrupted = await runConformance({
  signal: interruption.signal,
  onProgress: ({ casesDone }) => void (casesDone > 20 && interruption.abort()),
});
must(interrupted.exitCode === 130 && interrupted.report.run.interrupted, 'it was not interrupted');

const mistake = await runConformance({ baseUrl: 'nothing' }).catch((error: unknown) => error);
must(mistake instanceof UsageError && mistake.problem.what !== '', 'a mistake is a UsageError');
const { holds } = await verifyCertificate('certified', { development: true });
must(holds === true, 'the certificate does not hold');
must(written.length === 0, `it printed ${written.join('')}`);
