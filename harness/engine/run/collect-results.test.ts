import { describe, expect, it } from 'vitest';
import { ids } from '../../../spec/operation-ids-for-tests.ts';
import { noMoments } from '../../evidence/spell-ledger.ts';
import type { CaseResult } from '../../model/report.ts';
import { resultOf } from '../../results/case-result.ts';
import { activeCase, collectiveCase, passiveCase } from './cases-for-tests.ts';
import { collectResults } from './collect-results.ts';
import type { Closing } from './conduct-run.ts';
import type { Plan } from './plan.ts';
import type { FinishedRun } from './run-in-worker.ts';

const plan: Plan = {
  active: [activeCase()],
  passive: [passiveCase()],
  collective: [collectiveCase('a')],
  notApplicable: [{ ...activeCase(), id: 'x' }],
};
const planned = [...plan.active, ...plan.passive, ...plan.collective];
const traffic = { requests: 7, byStatus: {}, throttled: 0, latencyMs: { p50: 1, p95: 1, p99: 1 } };
const closing: Closing = {
  preflight: {
    unreachable: undefined,
    discovered: [{ operation: ids.product, name: 'slug', value: 'linen', from: ids.products }],
    accepts: { scoped: true, unscoped: true },
  },
  died: undefined,
  coverage: [],
  traffic,
  shapes: [],
  moments: noMoments,
};

function runOf(parts: Partial<FinishedRun> = {}): FinishedRun {
  return {
    results: new Map(planned.map((one): [string, CaseResult] => [one.id, resultOf(one, 'pass', 'held')])),
    closing,
    lastPulse: undefined,
    interrupted: false,
    defects: [],
    ...parts,
  };
}

const outcomes = (run: FinishedRun): readonly string[] =>
  collectResults(plan, run).results.map(({ outcome }) => outcome);

describe('collectResults', () => {
  it('takes the result of every planned case', () => {
    expect(outcomes(runOf())).toEqual(['pass', 'pass', 'pass', 'not-applicable']);
  });

  it('calls a missing result an error, never silence', () => {
    const { results } = collectResults(plan, runOf({ results: new Map() }));
    expect(results.map(({ outcome, message }) => [outcome, message])).toEqual([
      ...planned.map(() => ['error', 'the case produced no result']),
      ['not-applicable', expect.any(String)],
    ]);
  });

  it('gives a defect of the runner as the reason', () => {
    const { results } = collectResults(
      plan,
      runOf({ results: new Map(), defects: ['it broke\n  at x', 'more'] }),
    );
    expect(results[0]?.message).toBe('it broke');
  });

  it('calls what an interruption left open inconclusive', () => {
    const collected = collectResults(
      plan,
      runOf({ results: new Map(), closing: undefined, interrupted: true }),
    );
    expect(collected.results.map(({ outcome }) => outcome)).toEqual([
      ...planned.map(() => 'inconclusive'),
      'not-applicable',
    ]);
    expect(collected.shortfall).toEqual({ interrupted: true });
  });

  it('takes traffic and coverage from the last pulse where the run was not closed', () => {
    const lastPulse = { traffic, coverage: [{ operation: 'a', status: 200, observed: 1, reason: null }] };
    expect(collectResults(plan, runOf({ closing: undefined, lastPulse }))).toMatchObject(lastPulse);
    expect(collectResults(plan, runOf({ closing: undefined })).traffic.requests).toBe(0);
  });

  it('says which values were found, and where', () => {
    expect(collectResults(plan, runOf()).discovered).toEqual([
      { name: `${ids.product}.slug`, value: 'linen', from: ids.products },
    ]);
  });

  it('says why the target was not reached, or when it went', () => {
    const preflight = { ...closing.preflight, unreachable: 'no such host' };
    expect(collectResults(plan, runOf({ closing: { ...closing, preflight } })).shortfall.unreachable).toBe(
      'no such host',
    );
    expect(
      collectResults(plan, runOf({ closing: { ...closing, died: 'the target stopped answering: refused' } }))
        .shortfall.unreachable,
    ).toBe('the target stopped answering: refused');
    expect(collectResults(plan, runOf()).shortfall).toEqual({ interrupted: false });
  });

  it('never hides a defect of the runner behind complete results', () => {
    const clean = JSON.stringify(collectResults(plan, runOf()));
    expect(JSON.stringify(collectResults(plan, runOf({ defects: ['unhandled rejection'] })))).not.toBe(clean);
  });
});
