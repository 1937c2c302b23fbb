import { defined } from '../../defined.ts';
import type { Protocol } from '../../http/exchange.ts';
import type { Report, Traffic } from '../../model/report.ts';
import { interruptedReason } from '../../pacing/target-monitor.ts';
import type { RunRecord } from '../../results/assemble-report.ts';
import { notPlanned, resultOf } from '../../results/case-result.ts';
import type { Preflight } from '../../target/preflight.ts';
import { firstLine } from '../../visible-text.ts';
import type { Closing } from './conduct-run.ts';
import { type Plan, plannedCases } from './plan.ts';
import type { FinishedRun } from './run-in-worker.ts';

/** The outcome of a run, with a result for every planned case. */
export type CollectedResults = Pick<
  RunRecord,
  'results' | 'coverage' | 'traffic' | 'shapes' | 'moments' | 'discovered' | 'peers' | 'slowed'
> & { readonly protocol?: Protocol; readonly shortfall: Omit<RunRecord['shortfall'], 'filtered'> };

const noTraffic: Traffic = { requests: 0, byStatus: {}, throttled: 0, latencyMs: { p50: 0, p95: 0, p99: 0 } };

/** Holds a run to its plan: a case without a result is a defect or an interruption, never silence. */
export function collectResults(plan: Plan, run: FinishedRun): CollectedResults {
  const { interrupted, defects, lastPulse } = run;
  const { preflight, died, evidence: _evidence, ...closing }: Partial<Closing> = run.closing ?? {};
  const why = firstLine(defects[0] ?? 'the case produced no result');
  const planned = plannedCases(plan).map(
    (one) =>
      run.results.get(one.id) ??
      (interrupted ? resultOf(one, 'inconclusive', interruptedReason) : resultOf(one, 'error', why)),
  );
  // A case that the user interrupted says nothing about the target.
  const unreachable = interrupted ? undefined : (preflight?.unreachable ?? died);
  const keysRefused = preflight?.keysRefused;
  return {
    results: [...planned, ...plan.notApplicable.map((one) => resultOf(one, 'not-applicable', notPlanned))],
    coverage: lastPulse?.coverage ?? [],
    traffic: lastPulse?.traffic ?? noTraffic,
    ...defined(closing),
    discovered: reportedValues(preflight?.discovered),
    shortfall: { interrupted, ...defined({ unreachable, keysRefused, defect: defects[0] }) },
  };
}

/** The values that a preflight found, as the report shows them. */
export function reportedValues(discovered: Preflight['discovered'] = []): Report['target']['discovered'] {
  return discovered.map(({ operation, name, value, from }) => ({
    name: `${operation}.${name}`,
    value,
    from,
  }));
}
