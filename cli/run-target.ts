import { basename, resolve } from 'node:path';
import type { Catalogue } from '../harness/checks/catalogue.ts';
import { isCustom } from '../harness/checks/custom-check.ts';
import { defined } from '../harness/defined.ts';
import { collectResults } from '../harness/engine/run/collect-results.ts';
import { type Plan, plannedCases } from '../harness/engine/run/plan.ts';
import type { Headway } from '../harness/engine/run/run.ts';
import { type RunListener, runInWorker } from '../harness/engine/run/run-in-worker.ts';
import { connectionOf } from '../harness/engine/run/stated-options.ts';
import type { EvidenceOutcome } from '../harness/evidence/evidence-writer.ts';
import { harnessIdentity } from '../harness/identity.ts';
import type { Additional, Report, TargetConnection } from '../harness/model/report.ts';
import { assembleReport } from '../harness/results/assemble-report.ts';
import { createPart } from '../harness/write-atomically.ts';
import { wayToTarget } from '../reporters/model/run-figures.ts';
import type { ProgressState } from '../reporters/terminal/progress.ts';
import type { Settings } from './options/read-settings.ts';

/** Progress of a run. */
export interface TestProgress extends Omit<ProgressState, 'phase' | 'pace' | 'etaMs'> {
  /** The remaining requests, and the refusals that slow the run down; absent before the first request. */
  readonly headway?: Headway;
}

/** Receives the progress of a run, and may interrupt it. */
export interface RunObserver extends Pick<RunListener, 'onStart' | 'onInterrupt'> {
  /** The file that every exchange is written to; none where undefined. */
  readonly evidence: string | undefined;
  /** Names the run in request ids; undefined for a fresh one. */
  readonly runId?: string | undefined;
  readonly onProgress: (progress: TestProgress) => void;
}

/** The result of a run. */
export interface Evaluated {
  readonly report: Report;
  /** Whether the evidence was written; undefined if none was asked for, or the run did not finish. */
  readonly evidence: EvidenceOutcome | undefined;
}

/** Runs a plan against a target; prints nothing and writes only the evidence. */
export async function evaluate(
  catalogue: Catalogue,
  plan: Plan,
  settings: Settings,
  { evidence, runId, onProgress, ...listener }: RunObserver,
): Promise<Evaluated> {
  const { target, options, document } = settings;
  const casesTotal = plan.active.length || plannedCases(plan).length;
  const startedAt = new Date();
  const run = await runInWorker(
    {
      target,
      options,
      customChecks: settings.customChecks,
      ...(document && { document }),
      ...(evidence && { evidence: resolve(evidence), evidencePart: createPart(resolve(evidence)) }),
      ...(runId && { runId }),
    },
    {
      ...listener,
      onProgress: ({ results, failures, lastPulse: { traffic, headway } = {} }) =>
        onProgress({
          casesDone: Math.min(results.size, casesTotal),
          casesTotal,
          failures,
          requests: traffic?.requests ?? 0,
          ...(headway && { headway }),
        }),
    },
  );
  const collected = collectResults(plan, run);
  const evidenceOutcome = run.closing?.evidence;
  const digest = evidenceOutcome?.written === true ? evidenceOutcome.sha256 : undefined;
  const report = assembleReport({
    harness: harnessIdentity,
    contract: catalogue.contract,
    baseUrl: target.baseUrl,
    embedded: settings.embedded,
    targetFile: settings.targetFile,
    excluded: target.exclusions,
    connection: connectionOf(options, namedProxy(settings), collected.protocol),
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    seed: options.seed,
    options: settings.given,
    ...collected,
    shortfall: {
      ...collected.shortfall,
      filtered: options.operations.length > 0 || options.checks.length > 0,
    },
    ...defined({
      customChecks: describeOwnChecks(settings.customChecks, catalogue),
      shard: options.shard && { ...options.shard, ...defined({ evidence: digest }) },
    }),
  });
  return { report, evidence: evidenceOutcome };
}

function describeOwnChecks(
  folder: string | undefined,
  { checks, requirements }: Catalogue,
): Pick<Additional, 'folder' | 'requirements'> | undefined {
  if (folder === undefined) return undefined;
  const tested = new Set(checks.filter(({ id }) => isCustom(id)).map(({ requirement }) => requirement));
  const own = requirements.filter(({ id }) => tested.has(id));
  // Readers of the report need not know the folders of this machine.
  return {
    folder: basename(folder),
    requirements: own.map(({ id, level, title: text }) => ({ id, level, text })),
  };
}

/** The target and the way to it, for a line in the terminal. */
export function describeTarget(settings: Settings): string {
  const connection = connectionOf(settings.options, namedProxy(settings));
  return settings.target.baseUrl + wayToTarget({ ...settings, connection });
}

function namedProxy({ proxy }: Settings): TargetConnection['proxy'] {
  return proxy && { host: new URL(proxy.url).origin, variable: proxy.variable };
}
