import type { Protocol } from '../http/connections.ts';
import type {
  CaseResult,
  CoverageEntry,
  DiscoveredValue,
  Peers,
  ShapeEntry,
  Slowed,
  Traffic,
} from '../model/report.ts';
import { interruptedReason } from '../pacing/interruption.ts';
import { notPlanned, resultOf } from '../results/case-result.ts';
import { type Plan, plannedCases } from './plan.ts';
import type { FinishedRun } from './run-in-worker.ts';

/** What a run left behind, with a result for every planned case. */
export interface CollectedResults {
  readonly results: readonly CaseResult[];
  readonly coverage: readonly CoverageEntry[];
  readonly traffic: Traffic;
  readonly shapes?: readonly ShapeEntry[];
  readonly discovered: readonly DiscoveredValue[];
  readonly protocol?: Protocol;
  readonly peers?: Peers;
  readonly slowed?: Slowed;
  readonly shortfall: {
    readonly unreachable?: string;
    readonly keysRefused?: string;
    readonly interrupted: boolean;
    readonly defect?: string;
  };
}

const noTraffic: Traffic = { requests: 0, byStatus: {}, throttled: 0, latencyMs: { p50: 0, p95: 0, p99: 0 } };

/** Holds a run to its plan: a case without a result is a defect or an interruption, never silence. */
export function collectResults(plan: Plan, run: FinishedRun): CollectedResults {
  const { closing, interrupted, defects, lastPulse } = run;
  const why = defects[0] ?? 'the case left no result';
  const planned = plannedCases(plan).map(
    (one) =>
      run.results.get(one.id) ??
      (interrupted ? resultOf(one, 'inconclusive', interruptedReason) : resultOf(one, 'error', why)),
  );
  const inapplicable =
    closing?.results ?? plan.notApplicable.map((one) => resultOf(one, 'not-applicable', notPlanned));
  // What was cut short by the user says nothing about the target.
  const unreachable = interrupted ? undefined : (closing?.preflight.unreachable ?? closing?.died);
  const keysRefused = closing?.preflight.keysRefused;
  return {
    results: [...planned, ...inapplicable],
    coverage: closing?.coverage ?? lastPulse?.coverage ?? [],
    traffic: closing?.traffic ?? lastPulse?.traffic ?? noTraffic,
    ...(closing === undefined ? {} : { shapes: closing.shapes }),
    discovered: (closing?.preflight.discovered ?? []).map(({ operation, name, value, from }) => ({
      name: `${operation}.${name}`,
      value,
      from,
    })),
    ...(closing?.protocol === undefined ? {} : { protocol: closing.protocol }),
    ...(closing?.peers === undefined ? {} : { peers: closing.peers }),
    ...(closing?.slowed === undefined ? {} : { slowed: closing.slowed }),
    shortfall: {
      interrupted,
      ...(unreachable === undefined ? {} : { unreachable }),
      ...(keysRefused === undefined ? {} : { keysRefused }),
      ...(defects[0] === undefined ? {} : { defect: defects[0] }),
    },
  };
}
