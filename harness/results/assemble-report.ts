import type { Contract } from '../../spec/contract.ts';
import { isCustom } from '../checks/custom-check.ts';
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
import { attribute } from './root-causes.ts';
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
  return {
    schemaVersion: '1.1',
    ...decide(results, {
      ...record.shortfall,
      ...(record.shard === undefined ? {} : { shard: record.shard }),
      neverSeen: neverSeen(record.coverage, record.contract.operations),
    }),
    harness: record.harness,
    contract: { digest: record.contract.digest },
    target: {
      baseUrl: record.baseUrl,
      embedded: record.embedded,
      ...(record.targetFile === undefined ? {} : { file: record.targetFile }),
      discovered: record.discovered,
      ...(record.excluded === undefined || record.excluded.length === 0 ? {} : { excluded: record.excluded }),
      ...(record.connection === undefined ? {} : { connection: record.connection }),
      ...(record.peers === undefined || record.peers.addresses.length === 0 ? {} : { peers: record.peers }),
    },
    run: {
      startedAt: record.startedAt,
      durationMs: record.durationMs,
      seed: record.seed,
      options: record.options,
      interrupted: record.shortfall.interrupted,
      ...(record.shortfall.unreachable === undefined ? {} : { unreachable: record.shortfall.unreachable }),
      ...(record.shortfall.keysRefused === undefined ? {} : { keysRefused: record.shortfall.keysRefused }),
      ...(record.shortfall.defect === undefined ? {} : { defect: record.shortfall.defect }),
      ...(record.slowed === undefined ? {} : { slowed: record.slowed }),
      ...(record.shard === undefined ? {} : { shard: record.shard }),
      ...(record.shards === undefined ? {} : { shards: record.shards }),
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
    ...(record.shapes === undefined ? {} : { shapes: record.shapes }),
    ...(record.customChecks === undefined ? {} : { additional: additionalOf(record.customChecks, all) }),
  };
}

function additionalOf(
  { folder, requirements }: Pick<Additional, 'folder' | 'requirements'>,
  all: readonly CaseResult[],
): Additional {
  const results = all.filter(({ check }) => isCustom(check));
  return { folder, requirements, results, summary: summarise(results) };
}
