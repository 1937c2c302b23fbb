import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { renderAnnotations, withoutCommands } from '../../reporters/github/annotations.ts';
import { createProgress } from '../../reporters/terminal/progress.ts';
import { renderReport } from '../../reporters/terminal/render-report.ts';
import { renderWritten } from '../../reporters/terminal/written.ts';
import type { Contract } from '../../spec/contract.ts';
import { usualDays } from '../certificate/certifiable.ts';
import { loadCatalogue } from '../checks/catalogue.ts';
import type { EvidenceOutcome } from '../evidence/evidence-writer.ts';
import type { Baseline } from '../gate/baseline.ts';
import { dayOf } from '../gate/day.ts';
import { readBaseline } from '../gate/read-baseline.ts';
import { withBaseline } from '../gate/with-baseline.ts';
import { assembleReport } from '../report/assemble-report.ts';
import { exitCodeOf } from '../report/exit-code.ts';
import type { Report } from '../report/report.ts';
import { collectResults } from '../running/collect-results.ts';
import { type Plan, planCases, plannedCases } from '../running/plan.ts';
import { harnessIdentity } from '../running/run.ts';
import { UsageError } from '../usage-error.ts';
import { type CertificationFlags, readCertification, writeCertificate } from './certification.ts';
import { chosenFormats, collectFormats, viewNames } from './chosen-formats.ts';
import { connectionOf, describeTarget } from './connection.ts';
import { missesEvidence } from './evidence-file.ts';
import { appendJobSummary, inGithubActions } from './github-actions.ts';
import { numberFlag } from './number-flag.ts';
import { refuseEmptyPlan, refuseUnmatchedGlobs } from './refuse-unmatched-globs.ts';
import { evidenceName, prepareReportDir, writeReport } from './report-dir.ts';
import type { SetExitCode } from './set-exit-code.ts';
import { addTargetFlags, readSettings, type Settings, type TargetFlags } from './target-flags.ts';
import { terminalOf } from './terminal.ts';
import { prepareViews, writeViews } from './write-views.ts';

interface RunFlags extends TargetFlags, CertificationFlags {
  readonly reportDir?: string;
  readonly format?: readonly string[];
  readonly baseline?: string;
  readonly color: boolean;
  readonly quiet?: boolean;
}

/** `run`: preflight, cases, report, verdict. */
export function addRunCommand(program: Command, setExitCode: SetExitCode): void {
  addTargetFlags(program.command('run').description('judge a service and write the report'))
    .option('--report-dir <dir>', 'where the report goes (default: conformance-report)')
    .option(
      '--format <list>',
      `what to write beside report.json: ${viewNames}, by commas or repeated`,
      collectFormats,
    )
    .option('--provoke-rate-limit', 'at the end, send bursts of a harmless read until the target throttles')
    .option('--strict', 'a violated should fails too')
    .option(
      '--baseline <file>',
      'file of accepted findings: what is not in it fails, stale and expired entries do too',
    )
    .option('--certify', 'no verdict unless every must was judged; writes certificate.json for what conforms')
    .option('--sign-key <file>', 'PEM file of the Ed25519 key that signs the certificate; see keygen')
    .option(
      '--certificate-days <n>',
      `days that the certificate is valid (default: ${usualDays})`,
      numberFlag('--certificate-days', { integer: true, least: 1 }),
    )
    .option('--no-evidence', 'do not record the exchanges in evidence.har')
    .option('--no-color', 'no colours')
    .option('--quiet', 'only the verdict and the findings')
    .addHelpText(
      'after',
      `
Examples:
  commerce-conformance run
  commerce-conformance run --target target.yaml --strict
  commerce-conformance run --target target.yaml --format junit,markdown
  commerce-conformance run --target target.yaml --baseline baseline.yaml
  COMMERCE_KEY=… COMMERCE_KEY_UNSCOPED=… commerce-conformance run --base-url https://staging.example.com`,
    )
    .action(async (flags: RunFlags) => {
      setExitCode(await run(flags));
    });
}

/** How the run speaks to who sits at the terminal. */
interface Voice {
  readonly colours: boolean;
  readonly quiet: boolean;
}

async function run(flags: RunFlags): Promise<number> {
  const { contract, requirements, checks } = await loadCatalogue();
  const settings = await readSettings(flags, contract);
  const { options, given } = settings;
  const github = inGithubActions();
  const reportDir = (given['reportDir'] as string | undefined) ?? 'conformance-report';
  const voice = { colours: flags.color && given['noColor'] !== true, quiet: given['quiet'] === true };
  try {
    const formats = chosenFormats(flags.format, given['format'], github);
    refuseUnmatchedGlobs(options, contract, checks);
    const baseline = await baselineOf(given['baseline'], options.certify);
    const plan = planCases(contract, checks, requirements, options);
    refuseEmptyPlan(plan);
    const certification = await readCertification(flags, settings);
    await prepareReportDir(reportDir);
    const views = formats.filter(({ name }) => name !== 'json');
    await prepareViews(reportDir, views, '--report-dir');
    const evidencePath = flags.evidence ? join(reportDir, evidenceName) : undefined;
    const { judged, evidence } = await judge(contract, plan, settings, voice, evidencePath);
    const report = baseline === undefined ? judged : withBaseline(judged, baseline, dayOf(new Date()));
    const lacksEvidence =
      evidencePath !== undefined && (await missesEvidence(evidencePath, evidence, report));
    const reportPath = await writeReport(reportDir, report);
    const terminal = terminalOf(process.stdout, voice.colours);
    const quiet = voice.quiet || !wasAnswered(report);
    const where = reportPath === undefined ? {} : { reportPath };
    const shown = renderReport(report, { ...terminal, quiet, ...where });
    // A target's words could otherwise reach the runner as its commands.
    process.stdout.write(github ? withoutCommands(shown, randomUUID()) : shown);
    const { written, whole } = await writeViews(reportDir, report, views);
    const summarised = await appendJobSummary(written);
    process.stdout.write(`${renderWritten(written, terminal)}\n${github ? renderAnnotations(report) : ''}`);
    const exitCode = exitCodeOf(report, options.certify);
    if (certification !== undefined && reportPath !== undefined) {
      const { says, written: isWritten } = await writeCertificate(reportDir, report, certification);
      (isWritten ? process.stdout : process.stderr).write(`${says}\n`);
      if (exitCode === 0 && !isWritten) return 3;
    }
    const isWhole = reportPath !== undefined && whole && summarised && !lacksEvidence;
    return exitCode === 0 && !isWhole ? 3 : exitCode;
  } finally {
    await settings.release();
  }
}

async function baselineOf(file: unknown, certify: boolean): Promise<Baseline | undefined> {
  if (typeof file !== 'string') return undefined;
  if (certify) {
    throw new UsageError({
      where: '--baseline',
      what: 'findings cannot be accepted with --certify',
      why: 'a certificate says that nothing is violated, and ignores no finding',
      remedy: 'leave out one of the two',
    });
  }
  return readBaseline(file);
}

/** Where nothing ever came back, all there is to say is why. */
function wasAnswered({ traffic }: Report): boolean {
  return Object.keys(traffic.byStatus).some((status) => status !== 'none');
}

async function judge(
  contract: Contract,
  plan: Plan,
  settings: Settings,
  voice: Voice,
  evidence: string | undefined,
): Promise<{ readonly judged: Report; readonly evidence: EvidenceOutcome | undefined }> {
  const { target, options, document } = settings;
  const casesTotal = plannedCases(plan).length;
  const startedAt = new Date();
  const progress = createProgress(process.stderr, {
    tty: process.stderr.isTTY === true && !voice.quiet,
    colour: terminalOf(process.stderr, voice.colours).colour,
    total: casesTotal,
  });
  if (!voice.quiet) progress.line(`Judging ${describeTarget(settings)}`);
  // Slow to load, and of no use to any other command.
  const { runUnderVitest } = await import('../running/run-under-vitest.ts');
  const suites = await runUnderVitest(
    { target, options, ...(document && { document }), ...(evidence && { evidence: resolve(evidence) }) },
    ({ casesDone, failures, pulse }) => {
      if (voice.quiet) return;
      const elapsed = Date.now() - startedAt.getTime();
      progress.update({
        casesDone,
        casesTotal,
        failures,
        requests: pulse?.traffic.requests ?? 0,
        phase: casesDone === 0 ? 'reaching the target' : 'judging',
        ...(casesDone > 10 ? { etaMs: (elapsed / casesDone) * (casesTotal - casesDone) } : {}),
      });
    },
    (interrupt) => process.once('SIGINT', interrupt).once('SIGTERM', interrupt),
  );
  progress.end();
  const collected = collectResults(plan, suites);
  const judged = assembleReport({
    harness: harnessIdentity,
    contract,
    baseUrl: target.baseUrl,
    embedded: settings.embedded,
    excluded: target.exclusions,
    connection: connectionOf(settings, collected.protocol),
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    seed: options.seed,
    // Where the key lies is nobody's business who reads the report.
    options: { ...settings.given, signKey: undefined },
    ...collected,
    shortfall: {
      ...collected.shortfall,
      filtered: options.operations.length > 0 || options.checks.length > 0,
    },
  });
  return { judged, evidence: suites.closing?.evidence };
}
