import { describe, expect, it } from 'vitest';
import { sampleReport } from '../../../reporters/testing/sample-reports-for-tests.ts';
import { ids } from '../../../spec/operation-ids-for-tests.ts';
import type { BaselineEntry, BaselineOutcome, CaseResult, Report } from '../../model/report.ts';
import { exitCodeOf } from '../exit-code.ts';
import { findingFor, resultFor } from '../results-for-tests.ts';
import { withBaseline } from './with-baseline.ts';

const today = '2026-11-21';
const failed = resultFor('fail', 'must', { findings: [findingFor({ id: 'aaaaaaaa' })] });
const passed = resultFor('pass', 'must', { check: 'auth/other', requirement: 'AUTH-2' });
const open = resultFor('inconclusive', 'must', {
  check: 'scope/check',
  requirement: 'SCOPE-1',
  message: 'no key',
});

function entryFor(parts: Partial<BaselineEntry> = {}): BaselineEntry {
  return { finding: 'aaaaaaaa', reason: 'why', owner: 'team', expires: today, ...parts };
}

function reportFor(results: readonly CaseResult[], change: Partial<Report> = {}): Report {
  const fails = results.some(({ outcome }) => outcome === 'fail');
  return sampleReport(results, { verdict: fails ? 'non-conformant' : 'conformant', ...change });
}

/** The kinds under which entries are told, the reasons, and the exit code. */
function evaluated(
  results: readonly CaseResult[],
  entries: readonly BaselineEntry[],
  change: Partial<Report> = {},
) {
  const baseline = { file: 'baseline.yaml', digest: `sha256:${'0'.repeat(64)}`, accepted: entries };
  const report = withBaseline(reportFor(results, change), baseline, today);
  const { passed: holds, accepted, unaccepted, ...rest } = report.baseline as BaselineOutcome;
  const { stale, expired, unknown, unjudged } = rest;
  const told = Object.entries({ stale, expired, unknown, unjudged }).flatMap(([kind, list]) =>
    list.map(({ why }) => `${kind}: ${why}`),
  );
  return { passed: holds, accepted, new: unaccepted.length, told, exit: exitCodeOf(report, false) };
}

describe('a run is held against a baseline', () => {
  it('passes where all that fails is accepted, to the end of the last day', () => {
    const named = { operation: failed.operation, requirement: failed.requirement, check: failed.check };
    for (const entry of [entryFor(), entryFor(named)]) {
      expect(evaluated([failed, passed], [entry])).toEqual({
        passed: true,
        accepted: 1,
        new: 0,
        told: [],
        exit: 0,
      });
    }
  });

  it('fails for a finding that is not accepted', () => {
    expect(evaluated([failed], [])).toEqual({ passed: false, accepted: 0, new: 1, told: [], exit: 1 });
    const two = resultFor('fail', 'must', {
      findings: [findingFor({ id: 'aaaaaaaa' }), findingFor({ id: 'bbbbbbbb' })],
    });
    expect(evaluated([two], [entryFor()])).toMatchObject({ passed: false, accepted: 1, new: 1, exit: 1 });
  });

  it('fails for a failed case that names no finding, which nothing can accept', () => {
    expect(evaluated([resultFor('fail')], [entryFor()])).toMatchObject({ passed: false, new: 1, exit: 1 });
  });

  it('fails for an expired entry, and counts its finding once', () => {
    const over = entryFor({ expires: '2026-11-20' });
    expect(evaluated([failed], [over])).toEqual({
      passed: false,
      accepted: 0,
      new: 0,
      told: ['expired: it expired at the end of 2026-11-20, and the finding is still there'],
      exit: 1,
    });
    expect(evaluated([passed], [over])).toMatchObject({
      passed: false,
      told: ['expired: it expired at the end of 2026-11-20'],
      exit: 1,
    });
  });

  it('counts a finding as new that an expired entry never accepted', () => {
    const elsewhere = entryFor({ expires: '2026-11-20', operation: ids.products });
    const told = ['expired: it expired at the end of 2026-11-20'];
    expect(evaluated([failed], [elsewhere])).toEqual({ passed: false, accepted: 0, new: 1, told, exit: 1 });
  });

  it('counts a finding as new that something else shows than what was accepted', () => {
    const shownBy = (...triggers: readonly string[]): CaseResult =>
      resultFor('fail', 'must', { findings: [findingFor({ id: 'aaaaaaaa', triggers })] });
    const entry = entryFor({ triggers: ['query page=%zz', 'no Accept'] });
    const accepts = { passed: true, accepted: 1, new: 0 };
    expect(evaluated([shownBy('query page=%zz')], [entry])).toMatchObject(accepts);
    expect(evaluated([shownBy('query q[]=1')], [entryFor()])).toMatchObject(accepts);
    // Whether a finding that comes and goes has another cause cannot be told.
    expect(evaluated([failed], [entry])).toMatchObject(accepts);
    expect(evaluated([shownBy('query page=%zz', 'query q[]=1')], [entry])).toEqual({
      passed: false,
      accepted: 0,
      new: 1,
      told: ['unknown: the finding also shows with: query q[]=1'],
      exit: 1,
    });
  });

  it('fails for a stale entry: its case was tested without the finding', () => {
    const told = ['stale: its case was tested, and the finding was not seen'];
    const named = { operation: passed.operation, requirement: passed.requirement };
    for (const entry of [entryFor(named), entryFor({ ...named, check: passed.check }), entryFor()]) {
      expect(evaluated([passed], [entry])).toEqual({ passed: false, accepted: 0, new: 0, told, exit: 1 });
    }
  });

  it('says of an entry whose case was not tested that it was not, and does not fail', () => {
    const entry = entryFor({ operation: open.operation, requirement: open.requirement });
    expect(evaluated([passed, open], [entry])).toMatchObject({
      passed: true,
      told: ['unjudged: its case was not tested: no key'],
      exit: 0,
    });
  });

  it('says of an entry whose case was filtered out that it was, and does not fail', () => {
    const filtered = { run: { ...reportFor([]).run, options: { check: ['AUTH-2'] } } };
    const entry = entryFor({
      operation: failed.operation,
      requirement: failed.requirement,
      check: failed.check,
    });
    expect(evaluated([passed], [entry], filtered)).toMatchObject({
      passed: true,
      told: ['unjudged: its case was not in this run'],
      exit: 0,
    });
    expect(evaluated([passed], [entryFor()], filtered)).toMatchObject({
      passed: true,
      told: ['unjudged: this run left out cases that it may be about'],
    });
  });

  it('says what it cannot place, and accepts nothing by it', () => {
    const elsewhere = entryFor({ operation: ids.products });
    expect(evaluated([failed], [elsewhere])).toMatchObject({
      passed: false,
      new: 1,
      told: [`unknown: the finding is AUTH-3 at ${ids.identity}, by auth/check`],
    });
    for (const [entry, why] of [
      [entryFor({ operation: 'getOrders' }), 'there is no operation getOrders'],
      [entryFor({ requirement: 'AUTH-99' }), 'there is no case of AUTH-99'],
    ] as const) {
      expect(evaluated([passed], [entry])).toMatchObject({
        passed: true,
        told: [`unknown: ${why}`],
        exit: 0,
      });
    }
    expect(evaluated([passed, open], [entryFor()]).told[0]).toMatch(
      /^unknown: no such finding was seen; name its operation/,
    );
  });

  it('accepts what is warned of too, and lets a warning pass without an entry', () => {
    const warned = resultFor('warn', 'should', {
      findings: [findingFor({ id: 'cccccccc', level: 'should' })],
    });
    expect(evaluated([warned], [entryFor({ finding: 'cccccccc' })])).toMatchObject({
      passed: true,
      accepted: 1,
    });
    expect(evaluated([warned], [])).toMatchObject({ passed: true, accepted: 0, new: 0, exit: 0 });
  });

  it('never hides a defect of the harness, an interruption or a target that died', () => {
    const { run } = reportFor([]);
    const error = resultFor('error', 'must', { check: 'auth/broken' });
    expect(evaluated([failed, error], [entryFor()])).toMatchObject({ passed: true, exit: 4 });
    expect(evaluated([failed], [entryFor()], { run: { ...run, defect: 'thrown' } })).toMatchObject({
      exit: 4,
    });
    expect(evaluated([failed], [entryFor()], { run: { ...run, interrupted: true } })).toMatchObject({
      exit: 130,
    });
    expect(evaluated([failed], [entryFor()], { run: { ...run, unreachable: 'gone' } })).toMatchObject({
      exit: 3,
    });
  });
});

describe('the report with its baseline', () => {
  it('keeps outcome and verdict, and names who accepted what', () => {
    const digest = `sha256:${'0'.repeat(64)}`;
    const report = withBaseline(
      reportFor([failed]),
      { file: 'b.yaml', digest, accepted: [entryFor()] },
      today,
    );
    expect(report.verdict).toBe('non-conformant');
    expect(report.results[0]?.outcome).toBe('fail');
    expect(report.results[0]?.findings[0]?.accepted).toEqual({
      reason: 'why',
      owner: 'team',
      expires: today,
    });
    expect(report.baseline).toEqual({
      file: 'b.yaml',
      digest,
      today,
      passed: true,
      accepted: 1,
      unaccepted: [],
      stale: [],
      expired: [],
      unknown: [],
      unjudged: [],
    });
  });
});
