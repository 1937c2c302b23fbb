import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningService } from '../../fixtures/reference-service/start-service.ts';
import { loadCatalogue } from '../../harness/checks/catalogue.ts';
import type { ActiveCheck, Case } from '../../harness/checks/check.ts';
import { defined } from '../../harness/defined.ts';
import { reportedValues } from '../../harness/engine/run/collect-results.ts';
import type { Observed } from '../../harness/engine/run/observation.ts';
import { usualLimit } from '../../harness/engine/run/plan-run.ts';
import { Run } from '../../harness/engine/run/run.ts';
import { runSchedule } from '../../harness/engine/run/schedule.ts';
import { connectionOf } from '../../harness/engine/run/stated-options.ts';
import { type VerifiedEvidence, verifyEvidence } from '../../harness/engine/verify/verify-evidence.ts';
import { bytesOfFile } from '../../harness/evidence/byte-source.ts';
import type { EvidenceOutcome } from '../../harness/evidence/evidence-writer.ts';
import { readEvidence } from '../../harness/evidence/read-evidence.ts';
import { harnessIdentity } from '../../harness/identity.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { CaseResult, Report } from '../../harness/model/report.ts';
import type { RunOptions } from '../../harness/model/run-options.ts';
import type { SuppliedDocument } from '../../harness/model/supplied-document.ts';
import { assembleReport, type RunRecord } from '../../harness/results/assemble-report.ts';
import { defaultOptions, fuzzRunsOf } from '../../harness/target/default-options.ts';
import { targetFromObject } from '../../harness/target/target-description.ts';
import type { ContractData } from '../../spec/operation.ts';

/** The results of a run against a service. */
export interface Evaluated extends Observed, Pick<RunRecord, 'connection'> {
  readonly results: readonly CaseResult[];
  readonly discovered: Report['target']['discovered'];
  readonly excluded: NonNullable<RunRecord['excluded']>;
  readonly evidence?: EvidenceOutcome | undefined;
}

/** Options of a run against a service. */
export interface Evaluating {
  readonly options: Partial<RunOptions>;
  readonly document?: SuppliedDocument | undefined;
  readonly observe?: (exchange: Exchange) => void;
  readonly evidence?: string;
  /** Tested in place of the contract that the package holds. */
  readonly contract?: ContractData;
  readonly wants?: (planned: Case<ActiveCheck>) => boolean;
}

/** Runs the cases against a service within this process; the service is left running. */
export async function evaluateService(service: RunningService, evaluating: Evaluating): Promise<Evaluated> {
  const catalogue = await loadCatalogue(undefined, evaluating.contract);
  const { contract } = catalogue;
  const { document, wants, evidence } = evaluating;
  const target = targetFromObject(service.target, 'the service under proof', contract);
  const { profile = defaultOptions.profile } = evaluating.options;
  const { fuzzRuns = fuzzRunsOf[profile] } = evaluating.options;
  const maxRequests = usualLimit(catalogue, { profile, fuzzRuns }, document !== undefined);
  const options = { ...defaultOptions, fuzzRuns, maxRequests, ...evaluating.options };
  const given = defined({ document, evidence, contract: evaluating.contract });
  const run = await Run.open({ target, options, ...given });
  if (evaluating.observe !== undefined) run.context.recorder.on('exchange', evaluating.observe);
  try {
    return {
      results: await runSchedule(run, wants && { wants }),
      ...run.observation.observed(),
      discovered: reportedValues((await run.preflight()).discovered),
      excluded: target.exclusions,
      connection: connectionOf({}, undefined, run.context.client.protocol),
      evidence: run.finishEvidence(),
    };
  } finally {
    await run.close();
  }
}

/** The results of a run, and of the verification of its evidence. */
export async function evaluateAndVerify(
  service: RunningService,
  options: Partial<RunOptions>,
  observe: (exchange: Exchange) => void = () => undefined,
): Promise<Evaluated & VerifiedEvidence> {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-proof-'));
  const path = join(folder, 'evidence.har');
  try {
    const started = Date.now();
    const evaluated = await evaluateService(service, { options, observe, evidence: path });
    const catalogue = await loadCatalogue();
    const evidence = await readEvidence(await bytesOfFile(path, Number.POSITIVE_INFINITY));
    const report = reportOn(service, catalogue.contract, evaluated, {
      startedAt: new Date(started).toISOString(),
      durationMs: Date.now() - started,
      seed: evidence.run.options.seed,
      shortfall: { interrupted: false, filtered: (options.checks ?? []).length > 0 },
    });
    return { ...evaluated, ...(await verifyEvidence(report, evidence, catalogue)) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The report of a run as a file would give it back. */
export function reportOn(
  { baseUrl }: RunningService,
  contract: RunRecord['contract'],
  evaluated: Evaluated,
  ended: Pick<RunRecord, 'startedAt' | 'durationMs' | 'seed' | 'shortfall' | 'shard'>,
): Report {
  const about = { harness: harnessIdentity, contract, baseUrl, embedded: false, options: {} };
  return JSON.parse(JSON.stringify(assembleReport({ ...about, ...ended, ...evaluated }))) as Report;
}
