import { describe, expect, it } from 'vitest';
import { exampleExchange } from '../checks/example-exchange.ts';
import { activeCase } from '../engine/run/cases-for-tests.ts';
import type { Level, Outcome } from '../model/report.ts';
import { resultOf, resultOfEvaluation, resultOfFindings } from './case-result.ts';
import { findingId, findingOf, violationsById } from './finding.ts';
import { findingFor, requirementFor, violationOf } from './results-for-tests.ts';

const planned = activeCase({ id: 'auth/check' });

describe('findingId', () => {
  const id = findingId(violationOf(), 'auth/check');

  it('is eight hexadecimal digits that no later version may change', () => {
    expect(id).toMatch(/^[0-9a-f]{8}$/);
    expect(id).toBe('7ec9e07c');
  });

  it('does not depend on what changes from run to run', () => {
    const exchange = exampleExchange({
      ...{ status: 200, label: 'unknown key', startedAt: '2030-01-01T00:00:00Z', durationMs: 99 },
      request: { path: '/gateway/x', headers: [['a', 'b']] },
    });
    const later = { ...exchange, id: 'other', attempt: 3 };
    expect(findingId(violationOf({ exchange: later }), 'auth/check')).toBe(id);
  });

  it('holds no sentence, so that rewording breaks no baseline', () => {
    const exchange = exampleExchange({ status: 200, label: 'reworded' });
    const reworded = violationOf({
      statement: 'x',
      expected: 'status 401',
      actual: 'y',
      detail: 'z',
      exchange,
    });
    expect(findingId(reworded, 'auth/check')).toBe(id);
  });

  const page =
    '<html><head><title>403 Forbidden</title></head><body><hr><center>nginx</center></body></html>';
  it.each([
    ['expected status', violationOf({ expected: '403' })],
    ['status class', violationOf({ exchange: exampleExchange({ status: 403 }) })],
    ['clause', violationOf({ clause: 'weaker' })],
    ['kind', violationOf({ kind: '/items' })],
    ['operation', violationOf({ exchange: exampleExchange({ status: 200, operation: 'x' }) })],
    ['failure', violationOf({ exchange: exampleExchange({ failure: 'timeout' }) })],
  ])('is another for another %s', (_part, violation) => {
    expect(findingId(violation, 'auth/check')).not.toBe(id);
  });

  it('is another for another sender of the response, so that an accepted page hides no error of the service', () => {
    const form = { status: 403, contentType: 'text/html' };
    const ids = [page, page.replace('nginx', 'apache'), '{"code":"forbidden"}'].map((body) =>
      findingId(violationOf({ exchange: exampleExchange({ ...form, body }) }), 'auth/check'),
    );
    expect(new Set(ids).size).toBe(3);
  });

  it('is another for another check', () => {
    expect(findingId(violationOf(), 'auth/other')).not.toBe(id);
  });
});

describe('violationsById', () => {
  it('gives one violation for each id, which quotes the others', () => {
    const two = violationOf({ statement: 'a near miss is refused' });
    const other = violationOf({ clause: 'weaker' });
    const byId = [...violationsById([violationOf(), two, violationOf(), other], 'auth/check').values()];
    expect(byId.map(({ detail }) => detail)).toEqual(['also a near miss is refused', undefined]);
  });

  it('quotes of another what differs', () => {
    const [first, likewise, otherwise] = ['a comment', 'a tab', 'a form'].map((what) =>
      violationOf({ statement: `A body was accepted: ${what}`, actual: what === 'a form' ? '201' : '200' }),
    );
    const byId = violationsById(
      [first, likewise, otherwise].filter((one) => one !== undefined),
      'check',
    );
    expect([...byId.values()].map(({ detail }) => detail)).toEqual([
      'also a tab; a form (expected 401, got 201)',
    ]);
  });
});

describe('findingOf', () => {
  const subject = {
    check: 'auth/check',
    requirement: requirementFor(),
    baseUrl: 'https://shop.example/gateway',
  };

  it('says what was expected and seen, where the contract says so, and how to see it again', () => {
    const violation = violationOf();
    expect(findingOf(violation, subject, { times: 1, of: 3 })).toEqual({
      id: findingId(violation, 'auth/check'),
      level: 'must',
      headline: 'An invalid key was accepted',
      message: 'an unknown key is refused',
      expected: '401',
      actual: '200',
      contract: 'Authentication, rule 4',
      seen: { times: 1, of: 3 },
      exchange: violation.exchange,
      fix: 'how',
      reproduction: expect.stringMatching(/^curl .*https:\/\/shop\.example\/example/),
    });
  });

  it('has the headline of the violation, where the one of the requirement names others as well', () => {
    const violation = violationOf({ headline: 'A near miss was accepted' });
    expect(findingOf(violation, subject, { times: 1, of: 1 }).headline).toBe('A near miss was accepted');
  });

  it('names the ids that the service may have logged', () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const headers = [
      ['x-request-id', 'run/1'],
      ['traceparent', traceparent],
    ] as const;
    const violation = violationOf({ exchange: exampleExchange({ status: 200, request: { headers } }) });
    expect(findingOf(violation, subject, { times: 1, of: 1 })).toMatchObject({
      requestId: 'run/1',
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    });
  });

  it('names the ids of the response that are not those of the request', () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const own = '00-11112222333344445555666677778888-00f067aa0ba902b7-01';
    const answered = (...headers: ReadonlyArray<readonly [string, string]>): unknown => {
      const sent = [
        ['x-request-id', 'run-1'],
        ['traceparent', `00-${trace}-00f067aa0ba902b7-01`],
      ] as const;
      const exchange = exampleExchange({
        ...{ status: 500, contentType: null, headers: Object.fromEntries(headers) },
        request: { headers: sent },
      });
      return findingOf(violationOf({ exchange }), subject, { times: 1, of: 1 }).responseIds;
    };
    expect(answered()).toBeUndefined();
    expect(answered(['X-Request-Id', 'run-1'], ['request-id', ' '])).toBeUndefined();
    expect(
      answered(['traceparent', `00-${trace}-aaaaaaaaaaaaaaaa-01`], ['x-trace-id', trace]),
    ).toBeUndefined();
    expect(
      answered(['CF-Ray', '8a-FRA'], ['traceparent', own], ['X-Request-ID', 'a'], ['x-correlation-id', 'a']),
    ).toEqual([
      { header: 'x-request-id', value: 'a' },
      { header: 'traceparent', value: own },
      { header: 'cf-ray', value: '8a-FRA' },
    ]);
    expect(answered(['x-amzn-requestid', 'b'.repeat(5_000)])).toEqual([
      { header: 'x-amzn-requestid', value: 'b'.repeat(128) },
    ]);
  });

  it('has the level of its clause', () => {
    expect(findingOf(violationOf({ clause: 'weaker' }), subject, { times: 1, of: 1 }).level).toBe('should');
    const ofInfo = { ...subject, requirement: requirementFor('info') };
    expect(findingOf(violationOf(), ofInfo, { times: 1, of: 1 }).level).toBe('info');
    expect(() => findingOf(violationOf({ clause: 'unknown' }), subject, { times: 1, of: 1 })).toThrow(
      'AUTH-3 has no clause unknown',
    );
  });
});

describe('resultOfFindings', () => {
  const rows: ReadonlyArray<
    readonly [levels: readonly Level[], strict: boolean, outcome: Outcome, shown: Level]
  > = [
    [['must'], false, 'fail', 'must'],
    [['should'], false, 'warn', 'should'],
    [['should'], true, 'fail', 'should'],
    [['info'], false, 'pass', 'info'],
    [['info'], true, 'pass', 'info'],
    [['info', 'should'], false, 'warn', 'should'],
    [['info', 'should', 'must'], false, 'fail', 'must'],
  ];

  it.each(rows)('of findings of %j, strict %s, is %s and shows a %s', (levels, strict, outcome, shown) => {
    const [first, ...others] = levels.map((level) => findingFor({ level, message: `a ${level}` }));
    if (first === undefined) return expect.fail('no level');
    const result = resultOfFindings(planned, [first, ...others], ['1'], strict);
    expect(result).toMatchObject({
      outcome,
      message: outcome === 'pass' ? `noted: a ${shown}` : `a ${shown}`,
      expected: '401',
      actual: '200',
      exchanges: ['1'],
    });
    expect(result.findings).toHaveLength(levels.length);
  });
});

describe('resultOfEvaluation', () => {
  const exchanges = [exampleExchange({ status: 200 })];

  it('keeps the reason and the remedy', () => {
    expect(
      resultOfEvaluation(
        planned,
        { outcome: 'inconclusive', reason: 'why', remedy: 'what to add' },
        exchanges,
      ),
    ).toEqual({
      operation: 'readExample',
      check: 'auth/check',
      requirement: 'AUTH-3',
      level: 'must',
      outcome: 'inconclusive',
      message: 'why',
      remedy: 'what to add',
      expected: null,
      actual: null,
      exchanges: [exchanges[0]?.id],
      findings: [],
    });
  });

  it('has no remedy where there is none', () => {
    expect(resultOfEvaluation(planned, { outcome: 'inconclusive', reason: 'why' }, [])).not.toHaveProperty(
      'remedy',
    );
    expect(resultOfEvaluation(planned, { outcome: 'pass', message: 'seen' }, [])).toMatchObject({
      outcome: 'pass',
      message: 'seen',
    });
    expect(resultOf(planned, 'error', 'broken')).toMatchObject({ outcome: 'error', exchanges: [] });
  });
});
