import { rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { planSettings, type Settings, withSettings } from '../cli/options/read-settings.ts';
import { baselineOf } from '../cli/publish-report.ts';
import { evaluate, type TestProgress } from '../cli/run-target.ts';
import { loadCatalogue } from '../harness/checks/catalogue.ts';
import { defined } from '../harness/defined.ts';
import type { EvidenceOutcome } from '../harness/evidence/evidence-writer.ts';
import type { Report } from '../harness/model/report.ts';
import { dayOf, withBaseline } from '../harness/results/baseline/with-baseline.ts';
import { type ExitCode, exitCodeOf } from '../harness/results/exit-code.ts';
import { targetFromObject } from '../harness/target/target-description.ts';
import { UsageError } from '../harness/usage-error.ts';
import { removeParts } from '../harness/write-atomically.ts';
import type { RunFlags } from '../spec/options.ts';
import type { ConformanceSettings, TargetDescription } from './target-description.ts';

/** The target and options of a run, and its observers. */
export interface ConformanceOptions {
  /** A target file's path or content; without it and `baseUrl`, the embedded service is the target. */
  readonly target?: string | TargetDescription;
  /** Overrides the base URL of the target file. */
  readonly baseUrl?: string;
  /** Folder with custom checks, which run in addition to the built-in ones. */
  readonly checks?: string;
  /** Override those of the target file. */
  readonly options?: ConformanceSettings;
  /** Path of the file that every exchange is written to, as HAR; nothing is recorded without it. */
  readonly evidence?: string;
  /** Interrupts the run; the report holds the results so far. */
  readonly signal?: AbortSignal;
  /** Called while the run goes on; must not throw. */
  readonly onProgress?: (progress: TestProgress) => void;
}

/** The result of a run. */
export interface ConformanceRun {
  readonly report: Report;
  /** The exit code of the command for the same run. */
  readonly exitCode: ExitCode;
  /** Whether the evidence was written; absent if none was asked for. */
  readonly evidence?: EvidenceOutcome;
}

/**
 * Tests a target as the command does, and returns the report. Prints nothing and writes nothing but the evidence. Throws
 * a UsageError for mistakes in its options, before anything is sent, and the signal's reason if it is already aborted.
 */
export async function runConformance(given: ConformanceOptions = {}): Promise<ConformanceRun> {
  const { signal, onProgress = () => undefined, evidence: path } = given;
  return withSettings(await flagsOf(given), async (settings) => {
    refuseWhatIsForTheCommand(settings);
    const { certify } = settings.options;
    const { catalogue, plan } = await planSettings(settings);
    const baseline = await baselineOf(settings.given['baseline'], certify);
    if (path !== undefined) await rm(path, { force: true });
    signal?.throwIfAborted();
    const evaluated = await interruptible(signal, (onInterrupt) =>
      evaluate(catalogue, plan, settings, { evidence: path, onProgress, onInterrupt }),
    );
    const report =
      baseline === undefined ? evaluated.report : withBaseline(evaluated.report, baseline, dayOf(new Date()));
    const exitCode = exitCodeOf(report, certify);
    if (path === undefined) return { report, exitCode };
    const evidence = evaluated.evidence ?? { written: false, why: 'the run did not finish' };
    if (!evidence.written) await removeParts(dirname(path), [basename(path)]);
    return { report, exitCode: exitCode === 0 && !evidence.written ? 3 : exitCode, evidence };
  });
}

/** Validates the options by the schema of target files, so that a wrong name or type is refused. */
export async function flagsOf({
  target,
  baseUrl,
  checks,
  options = {},
}: ConformanceOptions): Promise<RunFlags> {
  const { contract } = await loadCatalogue();
  const checked = targetFromObject({ baseUrl: 'http://localhost', options }, 'runConformance', contract);
  return { ...(checked.options as RunFlags), ...defined({ target, baseUrl, checks }) };
}

/** A certificate rests on files, and a part of a run on the other parts: both are the command's. */
function refuseWhatIsForTheCommand({ given }: Settings): void {
  for (const name of ['certify', 'shard']) {
    if (given[name] === undefined || given[name] === false) continue;
    throw new UsageError({
      where: `options.${name}`,
      what: 'runConformance cannot do that',
      remedy: `leave it out, or use the command: npx commerce-conformance run --${name}`,
    });
  }
}

async function interruptible<T>(
  signal: AbortSignal | undefined,
  run: (onInterrupt: (interrupt: () => void) => void) => Promise<T>,
): Promise<T> {
  const listening = new AbortController();
  try {
    return await run((interrupt) => {
      // It may have been aborted while the run was prepared.
      if (signal?.aborted === true) interrupt();
      else signal?.addEventListener('abort', interrupt, { once: true, signal: listening.signal });
    });
  } finally {
    listening.abort();
  }
}
