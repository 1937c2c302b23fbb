import type { Contract } from '../../spec/contract.ts';
import { isCustom } from '../checks/custom-check.ts';
import { defined } from '../defined.ts';
import type { Moments } from '../evidence/spell-ledger.ts';
import type { Additional, Peers, Report, Slowed, TargetConnection } from '../model/report.ts';
import { attribute } from './causes/root-causes.ts';
import { causesOf, decide, neverSeen, type Shortfall, summarise } from './verdict.ts';

/** What a run leaves behind. */
export interface RunRecord
  extends Pick<Report, 'harness' | 'results' | 'coverage' | 'traffic' | 'shapes'>,
    Pick<Report['run'], 'startedAt' | 'durationMs' | 'seed' | 'options' | 'shard' | 'shards'>,
    Pick<Report['target'], 'baseUrl' | 'embedded' | 'discovered' | 'excluded'> {
  readonly contract: Contract;
  readonly moments?: Moments | undefined;
  readonly targetFile?: string | undefined;
  readonly connection?: TargetConnection | undefined;
  readonly peers?: Peers | undefined;
  readonly slowed?: Slowed | undefined;
  readonly shortfall: Omit<Shortfall, 'shard'>;
  /** The custom checks, whose results are among the others; absent for none. */
  readonly customChecks?: Pick<Additional, 'folder' | 'requirements'>;
}

/** The report of a run, its results in the order of operations and checks, however they came in. */
export function assembleReport(record: RunRecord): Report {
  const { contract, shapes, coverage, customChecks, shortfall, shard } = record;
  const { baseUrl, embedded, discovered, targetFile, excluded, connection, peers } = record;
  const { startedAt, durationMs, seed, options, slowed, shards } = record;
  const { interrupted, unreachable, keysRefused, defect } = shortfall;
  const order = new Map(contract.operations.map(({ id }, at) => [id, at]));
  const all = [...record.results].sort(
    (a, b) =>
      (order.get(a.operation) ?? 0) - (order.get(b.operation) ?? 0) ||
      (a.check < b.check ? -1 : a.check > b.check ? 1 : 0),
  );
  const ours = all.filter(({ check }) => !isCustom(check));
  const custom = all.filter(({ check }) => isCustom(check));
  const { results, rootCauses } = attribute(ours, shapes, contract.operations, record.moments);
  const unseen = neverSeen(coverage, contract.operations);
  return {
    schemaVersion: '1.1',
    ...decide(results, { ...shortfall, ...defined({ shard }), neverSeen: unseen }),
    harness: record.harness,
    contract: { digest: contract.digest },
    target: {
      ...{ baseUrl, embedded, ...defined({ file: targetFile }), discovered },
      ...defined({ excluded: excluded?.length === 0 ? undefined : excluded, connection }),
      ...defined({ peers: peers?.addresses.length === 0 ? undefined : peers }),
    },
    run: {
      ...{ startedAt, durationMs, seed, options, interrupted },
      ...defined({ unreachable, keysRefused, defect, slowed, shard, shards }),
    },
    operations: contract.operations.map(({ id, method, path, idIsOurs }) => ({ id, method, path, idIsOurs })),
    results,
    summary: summarise(results),
    coverage,
    traffic: record.traffic,
    causes: causesOf(results),
    rootCauses,
    ...defined({
      shapes,
      additional: customChecks && { ...customChecks, results: custom, summary: summarise(custom) },
    }),
  };
}
