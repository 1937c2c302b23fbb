import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allFaults } from '../../fixtures/faults/all-faults.ts';
import { startFault } from '../../fixtures/faults/start-fault.ts';
import { type RunningService, startService } from '../../fixtures/reference-service/start-service.ts';
import { loadCatalogue } from '../../harness/checks/catalogue.ts';
import { type FinishedShard, mergeShards } from '../../harness/engine/shards/merge-shards.ts';
import { inconsistencies } from '../../harness/engine/verify/evidence-inconsistencies.ts';
import { reevaluate } from '../../harness/engine/verify/reevaluate.ts';
import { differences } from '../../harness/engine/verify/verify-evidence.ts';
import { bytesOfFile } from '../../harness/evidence/byte-source.ts';
import {
  type EvidenceLog,
  evidenceOf,
  parseEvidence,
} from '../../harness/evidence/evidence-log-for-tests.ts';
import { readEvidence } from '../../harness/evidence/read-evidence.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { CaseResult, CoverageEntry, Report, ShapeEntry, Traffic } from '../../harness/model/report.ts';
import type { Shard } from '../../harness/model/run-options.ts';
import { defaultOptions } from '../../harness/target/default-options.ts';
import { evaluateService, reportOn } from './evaluate-service.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'conformance-shards-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const seed = 7;
const sizes = [1, 2, 3, 5];

describe.each([
  { service: undefined, finds: 'nothing', sizes },
  { service: 'missing-key-has-no-body', finds: 'what only passive checks see', sizes: [2, 5] },
  { service: 'every-404-has-a-shape-of-its-own', finds: 'what only a comparison of all shows', sizes },
  { service: 'unknown-decoration-error-lacks-its-code', finds: 'what all others have', sizes: [5] },
  { service: 'cancel-is-not-stored', finds: 'what a session keeps', sizes: [1, 3] },
])('a run of $service, which finds $finds, divided', ({ service: fault, finds, sizes: divisions }) => {
  let whole: Evaluated;
  beforeAll(async () => {
    const service = await start(fault);
    whole = await evaluated(service, undefined, budgetOf(fault)).finally(() => service.close());
    if (finds === 'nothing') expect(whole.report.verdict).toBe('conformant');
    else expect(['fail', 'warn']).toContain(outcomeOfBreach(fault, whole.report));
  }, 120_000);

  test.each(divisions)('by %d, says the same', async (of) => {
    const { merged, log } = await divided(fault, of, budgetOf(fault));
    const { contract, ...catalogue } = await loadCatalogue();

    // But for counts of answers, in which the preflights of the other shards are counted too.
    expect(uncounted(merged)).toEqual(uncounted(whole.report));

    // Without these preflights, the exchanges come to the same report.
    const own = { ...log, exchanges: log.exchanges.filter((exchange) => !isRepeated(exchange)) };
    const reevaluated = await reevaluate({ contract, ...catalogue }, evidenceOf(own));
    expect(reevaluated.objections).toEqual([]);
    expect(counted(reevaluated)).toEqual(counted(whole.report));
    const repeated = log.exchanges.length - own.exchanges.length;
    expect(merged.traffic.requests).toBe(whole.report.traffic.requests + repeated);
    expect(repeated).toBeLessThanOrEqual((of - 1) * 6);

    // Report and evidence hold together as those of one run do.
    const plan = await reevaluate({ contract, ...catalogue }, evidenceOf(log));
    expect(differences(merged, plan, { run: log.run, contract })).toEqual([]);
    expect(await inconsistencies(evidenceOf(log), contract, plan.plan, merged)).toEqual([]);
  });
});

// Which answers fail differs from run to run, divided or not.
test.each(['crowds-end-in-a-500', 'cancelling-one-session-cancels-all'])(
  'what calls do to each other, as %s, is found in a shard too',
  { timeout: 120_000 },
  async (fault) => {
    const { merged } = await divided(fault, 5, budgetOf(fault));
    expect(['fail', 'warn']).toContain(outcomeOfBreach(fault, merged));
  },
);

/** What a fault makes necessary to repeat could use up the usual one, and what is left out then depends on chance. */
function budgetOf(fault: string | undefined): number {
  return fault === undefined ? 4_000 : 6_000;
}

/** The worst that is said where the fault must be seen. */
function outcomeOfBreach(name: string | undefined, { results }: Report): string | undefined {
  const breaks = allFaults.find((fault) => fault.name === name)?.breaks;
  const outcomes = results
    .filter(({ check, operation }) => check === breaks?.check && [operation, '*'].includes(breaks.operation))
    .map(({ outcome }) => outcome);
  return outcomes.find((outcome) => outcome === 'fail') ?? outcomes.find((outcome) => outcome === 'warn');
}

interface Evaluated {
  readonly report: Report;
  readonly path: string;
}

function start(name: string | undefined): Promise<RunningService> {
  const fault = allFaults.find((one) => one.name === name);
  return fault === undefined ? startService() : startFault(fault);
}

let files = 0;

async function evaluated(
  service: RunningService,
  shard: Shard | undefined,
  budget: number,
): Promise<Evaluated> {
  const path = join(folder, `${files++}.har`);
  const startedAt = new Date();
  const of = shard?.of ?? 1;
  const { evidence, ...found } = await evaluateService(service, {
    options: {
      seed,
      shard,
      // As the command line has it where nobody says otherwise.
      concurrency: defaultOptions.concurrency * of,
      maxRequests: budget + 200 * (of - 1),
    },
    evidence: path,
  });
  expect(evidence?.written).toBe(true);
  const { contract } = await loadCatalogue();
  const report = reportOn(service, contract, found, {
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    seed,
    shortfall: { interrupted: false, filtered: false },
    ...(shard === undefined ? {} : { shard }),
  });
  return { report, path };
}

/** All shards at the same time, on one service. */
async function divided(
  fault: string | undefined,
  of: number,
  budget: number,
): Promise<{ readonly merged: Report; readonly log: EvidenceLog }> {
  const service = await start(fault);
  const parts = await Promise.all(
    Array.from({ length: of }, (_, at) => evaluated(service, { index: at + 1, of }, budget)),
  ).finally(() => service.close());
  for (const { report } of parts) {
    expect(['incomplete', 'non-conformant']).toContain(report.verdict);
    expect(report.complete).toBe(false);
    expect(report.reasons.join()).toContain(`this is shard ${report.run.shard?.index} of ${of} alone`);
  }
  // As they come from a file system: in no order.
  const shards: FinishedShard[] = [];
  for (const { report, path } of parts.reverse())
    shards.push({
      report,
      evidence: await readEvidence(await bytesOfFile(path, Number.POSITIVE_INFINITY)),
    });
  const [first, ...others] = shards;
  if (first === undefined) throw new Error('there are no shards');
  const path = join(folder, `${files++}.har`);
  const { report, evidence } = await mergeShards([first, ...others], {
    catalogue: await loadCatalogue(),
    path,
    given: {},
    certify: false,
  });
  expect(evidence.written).toBe(true);
  expect(report.run.shards).toBe(of);
  return { merged: asWritten(report), log: parseEvidence(await readFile(path, 'utf8')) };
}

function asWritten(report: Report): Report {
  return JSON.parse(JSON.stringify(report)) as Report;
}

function isRepeated({ case: sender, attempt }: Exchange): boolean {
  return sender.check === 'preflight' && attempt > 1;
}

type Counted = {
  readonly results: readonly CaseResult[];
  readonly coverage: readonly CoverageEntry[];
  readonly traffic: Traffic;
  readonly shapes?: readonly ShapeEntry[] | undefined;
};

/**
 * Without times, and without the counts of answers of one kind: whether a value made from the id of a session is malformed or
 * unknown depends on the id.
 */
function counted({ results, coverage, traffic, shapes }: Counted): unknown {
  return { ...comparable({ results, coverage, shapes }), requests: traffic.requests };
}

/** Without times, traffic, and the counts of answers, in which preflights are counted. */
function uncounted({
  run,
  traffic: _traffic,
  target: _target,
  coverage,
  shapes,
  results,
  ...report
}: Report): unknown {
  const { startedAt: _startedAt, durationMs: _durationMs, shards: _shards, ...same } = run;
  return { ...report, run: same, ...comparable({ results, coverage, shapes }) };
}

function comparable({ results, coverage, shapes }: Omit<Counted, 'traffic'>): Record<string, unknown> {
  return {
    coverage: coverage.map(({ observed, ...entry }) => ({ ...entry, observed: observed > 0 })),
    shapes: shapes?.map(({ shape, ...entry }) => ({ ...entry, members: namesIn(shape) })),
    results: results
      .map((result) => {
        const message = result.message.replace(/^(held|passed) in \d+ (answers?|responses?)$/, 'held');
        const { findings, exchanges, ...others } = told({ ...result, message });
        return {
          ...others,
          exchanges: message === 'held' ? [] : exchanges,
          findings: findings.map(({ seen: _seen, ...finding }) => finding),
        };
      })
      .sort(byCase),
  };
}

function namesIn({ members }: ShapeEntry['shape']): unknown {
  return members.map(({ path, types }) => [path, Object.keys(types).sort()]);
}

/** What a result says, without the values that a service makes up anew each time. */
function told({ findings, exchanges, ...result }: CaseResult) {
  return {
    ...result,
    exchanges: [...new Set(exchanges.map((id) => sentBy(result, ownId(id))))].sort(),
    findings: findings.map(({ id, level, expected, actual, message, contract, seen, exchange }) => ({
      ...{ id, level, expected, actual, message, contract, seen },
      exchange: ownId(exchange.id),
    })),
  };
}

/** Which cases send the valid calls that several share depends on the order of answers. */
function sentBy({ operation, check }: Pick<CaseResult, 'operation' | 'check'>, id: string): string {
  return id.startsWith(`${operation}/${check}/`) ? id : 'a call of another case';
}

/** Sessions are cleaned up by the shard that opened them. */
function ownId(id: string): string {
  return id.replace(/\/cleanup\/\d+\./, '/cleanup/1.');
}

function byCase(a: Pick<CaseResult, 'operation' | 'check'>, b: typeof a): number {
  return `${a.operation}/${a.check}` < `${b.operation}/${b.check}` ? -1 : 1;
}
