import { describe, expect, it } from 'vitest';
import { exampleOperation } from '../checks/example-exchange.ts';
import type { CaseResult, Level, Outcome, Verdict } from '../model/report.ts';
import { type ExitCode, exitCodeOf } from './exit-code.ts';
import { findingFor, resultFor } from './results-for-tests.ts';
import { causesOf, decide, neverSeen, type Shortfall, summarise } from './verdict.ts';

const whole: Shortfall = { interrupted: false, filtered: false };

describe('summarise', () => {
  it('counts every outcome', () => {
    const outcomes: Outcome[] = ['pass', 'pass', 'fail', 'warn', 'inconclusive', 'not-applicable', 'error'];
    expect(summarise(outcomes.map((outcome) => resultFor(outcome)))).toEqual({
      pass: 2,
      fail: 1,
      warn: 1,
      inconclusive: 1,
      notApplicable: 1,
      error: 1,
    });
  });
});

type Row = readonly [
  name: string,
  /** Outcomes and levels, such as `pass must, warn should`. */
  results: string,
  shortfall: Partial<Shortfall>,
  verdict: Verdict,
  complete: boolean,
  exit: ExitCode,
  certifying: ExitCode,
];

const rows: readonly Row[] = [
  ['all pass', 'pass must', {}, 'conformant', true, 0, 0],
  ['a warning', 'pass must, warn should', {}, 'conformant', true, 0, 0],
  ['a failure', 'pass must, fail must', {}, 'non-conformant', true, 1, 1],
  ['a failure of should, being strict', 'fail should', {}, 'non-conformant', true, 1, 1],
  ['an undecided must', 'pass must, inconclusive must', {}, 'incomplete', false, 0, 3],
  ['an undecided should', 'pass must, inconclusive should', {}, 'conformant', true, 0, 0],
  ['an undecided info', 'pass must, inconclusive info', {}, 'conformant', true, 0, 0],
  ['nothing applicable', 'not-applicable must', {}, 'incomplete', false, 3, 3],
  ['nothing at all', '', {}, 'incomplete', false, 3, 3],
  ['nothing decided', 'inconclusive should', {}, 'incomplete', false, 3, 3],
  ['a defect', 'pass must, error must', {}, 'error', false, 4, 4],
  ['a defect of an info', 'pass must, error info', {}, 'error', false, 4, 4],
  ['a failure and a defect', 'fail must, error must', {}, 'non-conformant', false, 1, 1],
  ['a failure and an undecided must', 'fail must, inconclusive must', {}, 'non-conformant', false, 1, 1],
  ['an interruption', 'pass must', { interrupted: true }, 'incomplete', false, 130, 130],
  ['an interruption after a failure', 'fail must', { interrupted: true }, 'non-conformant', false, 130, 130],
  ['a part only', 'pass must', { filtered: true }, 'incomplete', false, 0, 3],
  ['a target that cannot be reached', 'inconclusive must', { unreachable: 'no' }, 'incomplete', false, 3, 3],
  ['a target that died', 'pass must', { unreachable: 'no' }, 'incomplete', false, 3, 3],
  ['a failure before the target died', 'fail must', { unreachable: 'no' }, 'non-conformant', false, 1, 1],
];

describe.each(rows)('%s', (_name, outcomes, parts, verdict, complete, exit, certifying) => {
  const results = Array.from(outcomes.matchAll(/([\w-]+) (\w+)/g), ([, outcome, level]) =>
    resultFor(outcome as Outcome, level as Level),
  );
  const shortfall = { ...whole, ...parts };
  const decided = decide(results, shortfall);

  it(`is ${verdict}${complete ? '' : ', and not complete'}`, () => {
    expect(decided).toMatchObject({ verdict, complete });
    if (verdict !== 'conformant') expect(decided.reasons).not.toEqual([]);
    else expect(decided.reasons).toEqual([]);
  });

  it(`exits with ${exit}, certifying with ${certifying}`, () => {
    const report = {
      ...decided,
      summary: summarise(results),
      run: {
        startedAt: '',
        durationMs: 0,
        seed: 1,
        options: {},
        interrupted: shortfall.interrupted,
        ...(shortfall.unreachable === undefined ? {} : { unreachable: shortfall.unreachable }),
      },
    };
    expect([exitCodeOf(report, false), exitCodeOf(report, true)]).toEqual([exit, certifying]);
  });
});

describe('reasons', () => {
  it('say how many cases, on how many operations', () => {
    const results = [
      resultFor('fail', 'must', { operation: 'a' }),
      resultFor('fail', 'must', { operation: 'a' }),
      resultFor('fail', 'must', { operation: 'b' }),
      resultFor('error'),
      resultFor('inconclusive'),
    ];
    const { reasons } = decide(results, { interrupted: true, filtered: true, unreachable: 'it is gone' });
    expect(reasons).toEqual([
      'it is gone',
      '1 case could not be run because of a defect of the harness',
      '3 cases failed at 2 operations',
      'the run was interrupted',
      'only some operations or checks were asked for',
      '1 must case was not tested',
    ]);
  });

  it('name what was never seen only where something is undecided', () => {
    const shortfall = { ...whole, neverSeen: ['403 at a'] };
    expect(decide([resultFor('pass')], shortfall).reasons).toEqual([]);
    expect(decide([resultFor('pass'), resultFor('inconclusive')], shortfall).reasons).toContain(
      'never observed: 403 at a',
    );
  });
});

describe('neverSeen', () => {
  const operations = ['a', 'b', 'c', 'd', 'e'].map((id) => exampleOperation({ id, auth: 'none' }));

  it('names the statuses that every conforming service can be made to answer, and no more', () => {
    const hosted = exampleOperation({ id: 'hosted', scope: 'catalog:read', requestSchema: 'Any' });
    const coverage = [200, 400, 401, 403, 404, 409, 429].map((status) => ({
      operation: 'hosted',
      status,
      observed: 0,
      reason: 'none',
    }));
    expect(neverSeen(coverage, [hosted])).toEqual([
      '200 at hosted',
      '400 at hosted',
      '401 at hosted',
      '403 at hosted',
    ]);
    expect(neverSeen(coverage, [exampleOperation({ id: 'hosted', auth: 'none' })])).toEqual([
      '200 at hosted',
    ]);
  });

  it('names three operations at the most', () => {
    const coverage = operations.map(({ id }) => ({
      operation: id,
      status: 200,
      observed: 0,
      reason: 'none',
    }));
    expect(neverSeen(coverage, operations)).toEqual(['200 at a, b, c and 2 more']);
    expect(neverSeen(coverage.slice(0, 3), operations)).toEqual(['200 at a, b, c']);
  });

  it('leaves out what was seen, and operations that are not known', () => {
    expect(neverSeen([{ operation: 'a', status: 200, observed: 1, reason: null }], operations)).toEqual([]);
    expect(neverSeen([{ operation: 'x', status: 200, observed: 0, reason: '' }], operations)).toEqual([]);
  });
});

describe('causesOf', () => {
  const failed = (operation: string, ...findings: ReturnType<typeof findingFor>[]): CaseResult =>
    resultFor('fail', 'must', { operation, findings });

  it('puts findings together that say the same, the most frequent first', () => {
    const other = findingFor({ id: '00000009', actual: '403' });
    const causes = causesOf([
      failed('a', other),
      failed('a', findingFor()),
      failed('b', findingFor({ id: '00000002' })),
    ]);
    expect(causes).toEqual([
      {
        requirement: 'AUTH-3',
        signature: 'an unknown key is refused: expected 401, got 200',
        operations: ['a', 'b'],
        count: 2,
        example: '00000001',
      },
      {
        requirement: 'AUTH-3',
        signature: 'an unknown key is refused: expected 401, got 403',
        operations: ['a'],
        count: 1,
        example: '00000009',
      },
    ]);
  });

  it('keeps requirements apart, and names an operation once', () => {
    const two = { ...failed('a', findingFor()), requirement: 'AUTH-2' };
    expect(causesOf([failed('a', findingFor()), two])).toHaveLength(2);
    expect(causesOf([failed('a', findingFor(), findingFor())])[0]).toMatchObject({
      operations: ['a'],
      count: 2,
    });
  });

  it('leaves out what is only noted', () => {
    expect(causesOf([failed('a', findingFor({ level: 'info' }))])).toEqual([]);
    expect(causesOf([])).toEqual([]);
  });
});

it('tells failures of the document from those of the service', () => {
  const check = 'surface/supplied-document-matches';
  const ofDocument = resultFor('fail', 'must', { check, findings: [findingFor()] });
  const ofService = resultFor('fail', 'must', { findings: [findingFor()] });
  expect(decide([ofDocument, resultFor('pass')], whole).reasons).toEqual([
    'your OpenAPI document differs from the contract in 1 case; your service failed no case',
  ]);
  expect(decide([ofDocument, ofService], whole).reasons).toEqual([
    '1 case failed at 1 operation',
    'your OpenAPI document differs from the contract in 1 case',
  ]);
});
