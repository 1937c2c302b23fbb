import { hash } from 'node:crypto';
import type { Catalogue } from '../../checks/catalogue.ts';
import { defined } from '../../defined.ts';
import { endOf } from '../../evidence/answer.ts';
import type { EvidenceRun } from '../../evidence/evidence-format.ts';
import { type EvidenceOutcome, EvidenceWriter } from '../../evidence/evidence-writer.ts';
import { type Evidence, EvidenceFormatError } from '../../evidence/read-evidence.ts';
import { misstatedBody } from '../../http/record-answer.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { CaseResult, DiscoveredValue, Peers, Report } from '../../model/report.ts';
import { assembleReport } from '../../results/assemble-report.ts';
import { caseIdOf } from '../../results/case-result.ts';
import { UsageError } from '../../usage-error.ts';
import { Observation } from '../run/observation.ts';
import type { Plan } from '../run/plan.ts';
import { planRun } from '../run/plan-run.ts';

/** A shard's report and evidence, known to belong together. */
export interface FinishedShard {
  readonly report: Report;
  readonly evidence: Evidence;
}

/** How shards are merged. */
export interface Merging {
  readonly catalogue: Catalogue;
  readonly path: string;
  readonly given: Readonly<Record<string, unknown>>;
  readonly certify: boolean;
}

/**
 * Merges the reports of all shards, in any order. Results of active cases come from their shards; everything that
 * depends on all exchanges is evaluated again on the merged evidence.
 */
export async function mergeShards(
  shards: readonly [FinishedShard, ...FinishedShard[]],
  { catalogue, path, given, certify }: Merging,
): Promise<{ readonly report: Report; readonly evidence: EvidenceOutcome }> {
  const sorted = [...shards].sort((a, b) => indexOf(a) - indexOf(b));
  const run = unitedRun(sorted, certify);
  const { contract } = catalogue;
  const { options, document, target } = run;
  const { whole: plan } = planRun(catalogue, { options, document });
  const observation = new Observation(plan, contract, document);
  const active = activeResults(plan, sorted);
  const parts = sorted.map((shard) => shard.evidence);
  const evidence = await mergeEvidence(parts, { path, run }, observation.observe);
  const reports = sorted.map(({ report }) => report);
  const starts = reports.map((report) => Date.parse(report.run.startedAt));
  const startedAt = Math.min(...starts);
  const endedAt = Math.max(...reports.map((report, at) => (starts[at] ?? 0) + report.run.durationMs));
  const report = assembleReport({
    harness: run.harness,
    contract,
    baseUrl: target.baseUrl,
    embedded: false,
    targetFile: reports[0]?.target.file,
    discovered: united(reports.map((one) => one.target.discovered)),
    ...defined({ excluded: reports[0]?.target.excluded }),
    connection: reports.find((one) => one.target.connection !== undefined)?.target.connection,
    peers: unitedPeers(reports),
    startedAt: new Date(startedAt).toISOString(),
    durationMs: endedAt - startedAt,
    seed: options.seed,
    options: given,
    results: [...active, ...observation.results({ baseUrl: target.baseUrl, ...options })],
    ...observation.observed(),
    shortfall: {
      interrupted: reports.some((one) => one.run.interrupted),
      filtered: options.operations.length > 0 || options.checks.length > 0,
      ...defined({
        unreachable: ofShard('unreachable', reports),
        keysRefused: ofShard('keysRefused', reports),
        defect: ofShard('defect', reports),
      }),
    },
    shards: sorted.length,
  });
  return { report, evidence };
}

/** The results of the planned cases; refuses shards without one, because each shard writes all of its own. */
function activeResults(plan: Plan, shards: readonly FinishedShard[]): readonly CaseResult[] {
  const results = shards.flatMap(({ report }) => report.results);
  const found = new Map(results.map((result) => [caseIdOf(result), result]));
  return plan.active.map(({ id }) => {
    const result = found.get(id);
    if (result !== undefined) return result;
    throw new UsageError({
      where: 'merge',
      what: `no shard has a result of ${id}`,
      why: 'a report was changed after its run',
      remedy: 'run the shards again, and merge their reports as they are',
    });
  });
}

/** The record that one undivided run would have made of itself. */
function unitedRun(sorted: readonly FinishedShard[], certify: boolean): EvidenceRun {
  const [first] = sorted;
  if (first === undefined) throw new Error('there are no shards to merge');
  const { options, id: _id, shards: _shards, derivation: _derivation, ...others } = first.evidence.run;
  const { shard: _shard, ...whole } = options;
  const ids = sorted.map(({ evidence }) => evidence.run.id);
  return {
    id: `conformance-${hash('sha256', ids.join(' ')).slice(0, 8)}`,
    shards: ids,
    ...others,
    options: { ...whole, certify, shard: undefined },
  };
}

function indexOf({ report }: FinishedShard): number {
  return report.run.shard?.index ?? 0;
}

/** Each value once, regardless of the shards that found it. */
function united(lists: ReadonlyArray<readonly DiscoveredValue[]>): readonly DiscoveredValue[] {
  return [...new Map(lists.flat().map((one) => [`${one.name} ${one.value}`, one])).values()];
}

function unitedPeers(reports: readonly Report[]): Peers {
  const peers = reports.flatMap(({ target }) => target.peers ?? []);
  const certificates = peers.flatMap((one) => one.certificates);
  return {
    addresses: [...new Set(peers.flatMap(({ addresses }) => addresses))].sort(),
    certificates: [...new Map(certificates.map((one) => [one.sha256, one])).values()],
  };
}

function ofShard(
  name: 'unreachable' | 'keysRefused' | 'defect',
  reports: readonly Report[],
): string | undefined {
  const hit = reports.find(({ run }) => run[name] !== undefined);
  return hit && `shard ${hit.run.shard?.index}: ${hit.run[name]}`;
}

interface Source {
  readonly exchanges: AsyncIterator<Exchange, undefined>;
  head: Exchange | undefined;
  /** At index n: the number of exchanges of all shards up to the n-th exchange of this shard. */
  readonly places: number[];
}

/**
 * Writes the exchanges of all shards to one file, in the order in which they ended, and has each observed. Holds none
 * of them.
 */
export async function mergeEvidence(
  shards: readonly Evidence[],
  { path, run }: { readonly path: string; readonly run: EvidenceRun },
  observe: (exchange: Exchange) => void,
): Promise<EvidenceOutcome> {
  const writer = new EvidenceWriter(path, run);
  const sources: Source[] = [];
  for (const shard of shards) {
    const exchanges = shard.exchanges()[Symbol.asyncIterator]();
    sources.push({ exchanges, head: (await exchanges.next()).value, places: [] });
  }
  try {
    let count = 0;
    for (let next = firstToEnd(sources); next?.head !== undefined; next = firstToEnd(sources)) {
      const { head } = next;
      count += 1;
      next.places.push(count);
      const misstated = misstatedBody(head);
      if (misstated !== undefined) throw new EvidenceFormatError(`has ${head.id}: ${misstated}`);
      writer.observe(head);
      observe(head);
      next.head = (await next.exchanges.next()).value;
    }
  } finally {
    await Promise.all(sources.map(({ exchanges }) => exchanges.return?.()));
  }
  for (const [at, { attempts }] of shards.entries())
    for (const attempt of attempts)
      writer.observeAttempt({ ...attempt, after: sources[at]?.places[attempt.after - 1] ?? 0 });
  return writer.finish();
}

/** The source whose next exchange ended first; the earlier one where two ended at the same time. */
function firstToEnd(sources: readonly Source[]): Source | undefined {
  const ends = ({ head }: Source): number => (head === undefined ? Number.MAX_VALUE : endOf(head));
  return sources.toSorted((a, b) => ends(a) - ends(b))[0];
}
