import { randomUUID } from 'node:crypto';
import { basename, dirname, relative } from 'node:path';
import type { EvidenceOutcome } from '../harness/evidence/evidence-writer.ts';
import type { Report } from '../harness/model/report.ts';
import { type Baseline, readBaseline } from '../harness/results/baseline/read-baseline.ts';
import { dayOf, withBaseline } from '../harness/results/baseline/with-baseline.ts';
import { exitCodeOf } from '../harness/results/exit-code.ts';
import { UsageError } from '../harness/usage-error.ts';
import { removeParts } from '../harness/write-atomically.ts';
import type { ReportFormat } from '../reporters/formats.ts';
import { renderAnnotations, withoutCommands } from '../reporters/github/annotations.ts';
import { prepareValidation } from '../reporters/json/write-report.ts';
import { renderReport } from '../reporters/terminal/render-report.ts';
import { type Certification, writeCertificate } from './certification.ts';
import type { EndingSignals } from './ending-signals.ts';
import { appendJobSummary, inGithubActions } from './github-actions.ts';
import { lockReportDir } from './report-folder/lock-report-dir.ts';
import { prepareReportDir, writeReport } from './report-folder/report-dir.ts';
import { prepareViews, renderWritten, writeViews } from './report-folder/write-views.ts';
import type { Evaluated } from './run-target.ts';
import { terminalOf } from './terminal.ts';

/** Bytes of evidence that take seconds to be evaluated again. */
const longEvidence = 32 * 1024 * 1024;

/** The destination of a report, and the formats, baseline and certificate that go with it. */
export interface Publication {
  readonly reportDir: string;
  /** The target file of the run, for the commands that are printed. */
  readonly targetFile?: string | undefined;
  readonly views: readonly ReportFormat[];
  readonly baseline: Baseline | undefined;
  /** Undefined without --certify. */
  readonly certification: Certification | undefined;
  /** The path of the evidence, where it is recorded. */
  readonly evidencePath: string | undefined;
  readonly colours: boolean;
  readonly quiet: boolean;
}

/** Loads the code that writes reports ahead of time; a failure is reported when the code is needed. */
export function preparePublication(views: readonly ReportFormat[]): void {
  prepareValidation();
  for (const view of views) view.load().catch(() => undefined);
}

/** Reserves the report folder, makes the report, and publishes it there; returns the exit code. */
export async function publish(
  publication: Publication,
  signals: EndingSignals,
  makeReport: () => Promise<Evaluated>,
): Promise<number> {
  const { reportDir, views } = publication;
  const unlock = await lockReportDir(reportDir, '--report-dir');
  try {
    await prepareReportDir(reportDir);
    await prepareViews(reportDir, views, '--report-dir');
    const made = await makeReport();
    signals.finishFirst();
    return signals.exitCode(await writeAll(made, publication, signals));
  } finally {
    await unlock();
  }
}

/** Writes a report with its other formats and its certificate, and prints a summary; returns the exit code. */
async function writeAll(made: Evaluated, publication: Publication, signals: EndingSignals): Promise<number> {
  const { report: evaluated, evidence } = made;
  const { reportDir, views, baseline, certification, evidencePath } = publication;
  const github = inGithubActions();
  const report = baseline === undefined ? evaluated : withBaseline(evaluated, baseline, dayOf(new Date()));
  const lacksEvidence =
    evidencePath !== undefined && (await missesEvidence(evidencePath, report.run, evidence));
  const reportPath = await writeReport(reportDir, report);
  const terminal = terminalOf(process.stdout, publication.colours);
  // Where nothing ever came back, all there is to say is why.
  const isAnswered = Object.keys(report.traffic.byStatus).some((status) => status !== 'none');
  const quiet = publication.quiet || !isAnswered;
  const where = { reportPath: reportPath && shownPath(reportPath), targetFile: publication.targetFile };
  const shown = renderReport(report, { ...terminal, quiet, ...where });
  // A target's words could otherwise reach the runner as its commands.
  process.stdout.write(github ? withoutCommands(shown, randomUUID()) : shown);
  const { written, whole } = await writeViews(reportDir, report, views);
  const summarised = await appendJobSummary(written);
  const files = written.map((one) => ({ ...one, paths: one.paths.map(shownPath) }));
  process.stdout.write(`${renderWritten(files, terminal)}\n${github ? renderAnnotations(report) : ''}`);
  const exitCode = exitCodeOf(report, certification !== undefined);
  if (certification !== undefined && reportPath !== undefined) {
    // From here on the process hears no signal, unless the system ends it.
    if (evidence?.written === true && evidence.bytes > longEvidence) signals.release();
    const { says, written: isWritten, withheld } = await writeCertificate(reportDir, report, certification);
    (isWritten ? process.stdout : process.stderr).write(`${says}\n`);
    if (exitCode === 0 && !isWritten && withheld !== true) return 3;
  }
  const isWhole = reportPath !== undefined && whole && summarised && !lacksEvidence;
  return exitCode === 0 && !isWhole ? 3 : exitCode;
}

/** Reads the baseline, if one is given; refuses it together with a certificate. */
export async function baselineOf(file: unknown, certify: boolean): Promise<Baseline | undefined> {
  if (typeof file !== 'string') return undefined;
  if (certify) {
    throw new UsageError({
      where: '--baseline',
      what: 'findings cannot be accepted with --certify',
      why: 'a certificate states that nothing is violated',
      remedy: 'leave out one of the two',
    });
  }
  return readBaseline(file);
}

/** A path as the user would type it. */
function shownPath(path: string): string {
  const near = relative(process.cwd(), path);
  return near.startsWith('..') ? path : near;
}

/** Whether the evidence of a run is missing; if so, says why and removes an incomplete file. */
async function missesEvidence(path: string, run: Report['run'], outcome?: EvidenceOutcome): Promise<boolean> {
  if (outcome?.written === true) return false;
  await removeParts(dirname(path), [basename(path)]);
  const why = outcome?.why ?? `the run ${run.interrupted ? 'was interrupted' : 'did not finish'}`;
  process.stderr.write(`error: the evidence could not be written to ${path}: ${why}\n`);
  return true;
}
