import type { Contract } from '../../spec/contract.ts';
import { isCustom } from '../checks/custom-check.ts';
import { defined } from '../defined.ts';
import type {
  Additional,
  CaseResult,
  CoverageEntry,
  DiscoveredValue,
  ExcludedClass,
  Peers,
  Report,
  ShapeEntry,
  Slowed,
  TargetConnection,
  Traffic,
} from '../model/report.ts';
import type { Shard } from '../model/shard.ts';
import { attribute } from './causes/root-causes.ts';
import { causesOf, decide, neverSeen, type Shortfall, summarise } from './verdict.ts';

/** What a run leaves behind. */
export interface RunRecord {
  readonly harness: Report['harness'];
  readonly contract: Contract;
  readonly baseUrl: string;
  readonly embedded: boolean;
  readonly targetFile?: string | undefined;
  readonly discovered: readonly DiscoveredValue[];
  readonly excluded?: readonly ExcludedClass[];
  readonly connection?: TargetConnection | undefined;
  readonly peers?: Peers | undefined;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly seed: number;
  readonly options: Readonly<Record<string, unknown>>;
  readonly results: readonly CaseResult[];
  readonly coverage: readonly CoverageEntry[];
  readonly traffic: Traffic;
  readonly shapes?: readonly ShapeEntry[];
  readonly shortfall: Omit<Shortfall, 'shard'>;
  readonly slowed?: Slowed | undefined;
  /** Which part was run, with the digest of its evidence; absent where all was. */
  readonly shard?: Shard & { readonly evidence?: string };
  /** The checks of the user, whose results are among the others; absent for none. */
  readonly customChecks?: Pick<Additional, 'folder' | 'requirements'>;
  /** Number of shards that it was merged from. */
  readonly shards?: number;
}

/** The report of a run, its results in the order of operations and checks, however they came in. */
export function assembleReport(record: RunRecord): Report {
  const order = new Map(record.contract.operations.map(({ id }, at) => [id, at]));
  const all = [...record.results].sort(
    (a, b) =>
      (order.get(a.operation) ?? 0) - (order.get(b.operation) ?? 0) ||
      (a.check < b.check ? -1 : a.check > b.check ? 1 : 0),
  );
  const { results, rootCauses } = attribute(
    all.filter(({ check }) => !isCustom(check)),
    record.shapes,
    record.contract.operations,
  );
  const { baseUrl, discovered, targetFile, excluded, connection, peers } = record;
  const { startedAt, durationMs, seed, options, slowed, shard, shards, shortfall, customChecks } = record;
  const { interrupted, unreachable, keysRefused, defect } = shortfall;
  return {
    schemaVersion: '1.1',
    ...decide(results, {
      ...shortfall,
      ...defined({ shard }),
      neverSeen: neverSeen(record.coverage, record.contract.operations),
    }),
    harness: record.harness,
    contract: { digest: record.contract.digest },
    target: {
      baseUrl,
      embedded: record.embedded,
      ...defined({ file: targetFile }),
      discovered,
      ...defined({
        excluded: excluded?.length === 0 ? undefined : excluded,
        connection,
        peers: peers?.addresses.length === 0 ? undefined : peers,
      }),
    },
    run: {
      startedAt,
      durationMs,
      seed,
      options,
      interrupted,
      ...defined({ unreachable, keysRefused, defect, slowed, shard, shards }),
    },
    operations: record.contract.operations.map(({ id, method, path, idIsOurs }) => ({
      id,
      method,
      path,
      idIsOurs,
    })),
    results,
    summary: summarise(results),
    coverage: record.coverage,
    traffic: record.traffic,
    causes: causesOf(results),
    rootCauses,
    ...defined({
      shapes: record.shapes,
      additional: customChecks === undefined ? undefined : additionalOf(customChecks, all),
    }),
  };
}

function additionalOf(
  { folder, requirements }: Pick<Additional, 'folder' | 'requirements'>,
  all: readonly CaseResult[],
): Additional {
  const results = all.filter(({ check }) => isCustom(check));
  return { folder, requirements, results, summary: summarise(results) };
}
