import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refusedInFront } from '../../evidence/answer.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { CaseResult } from '../../model/report.ts';
import { notOk, numbered, passiveCase } from './cases-for-tests.ts';
import { PassiveMonitor } from './passive-monitor.ts';

function evaluated(exchanges: readonly Exchange[], planned = passiveCase(), strict = false): CaseResult {
  const monitor = new PassiveMonitor(planned, undefined);
  for (const exchange of exchanges) monitor.observe(exchange);
  return monitor.result({ baseUrl: 'https://shop.example', strict });
}

describe('PassiveMonitor', () => {
  it('passes where all held, and says in how many', () => {
    expect(evaluated([numbered('a'), numbered('b')])).toMatchObject({
      outcome: 'pass',
      message: 'held in 2 answers',
      exchanges: ['a', 'b'],
    });
    expect(evaluated([numbered('a')]).message).toBe('held in 1 answer');
  });

  it('looks at exchanges of its own operation only, whoever sent them', () => {
    const foreign = numbered('a', { operation: 'other', status: 500 });
    expect(evaluated([foreign, numbered('b')])).toMatchObject({ outcome: 'pass', exchanges: ['b'] });
    const sentByOther = { ...numbered('c', { status: 500 }), case: { check: 'x', operation: 'other' } };
    expect(evaluated([sentByOther]).outcome).toBe('fail');
  });

  it('is inconclusive without a matching response, unless none need occur', () => {
    expect(evaluated([])).toMatchObject({ outcome: 'inconclusive' });
    expect(evaluated([numbered('a', { failure: 'timeout' })]).outcome).toBe('inconclusive');
    expect(evaluated([], passiveCase({ notApplicableReason: () => 'need never happen' }))).toMatchObject({
      outcome: 'not-applicable',
      message: 'need never happen',
    });
  });

  it('is inconclusive where a part cannot be checked, unless another part is violated', () => {
    const planned = passiveCase({ uncheckedParts: () => ['the pattern (?=a)b at /x'] });
    expect(evaluated([numbered('a')], planned)).toMatchObject({
      outcome: 'inconclusive',
      message: 'the rest of the schema holds, but the pattern (?=a)b at /x cannot be checked in bounded time',
      exchanges: ['a'],
    });
    expect(evaluated([numbered('a', { status: 500 })], planned).outcome).toBe('fail');
  });

  it('says in how many of the tries of the same kind it was seen', () => {
    const others = Array.from({ length: 5 }, (_, at) => numbered(`other${at}`, { label: 'other kind' }));
    const same = ['a', 'b', 'c', 'd'].map((id) =>
      numbered(id, { label: 'kind', status: id === 'b' ? 500 : 200 }),
    );
    const { findings } = evaluated([...others, ...same]);
    expect(findings.map(({ seen }) => seen)).toEqual([{ times: 1, of: 4 }]);
  });

  it('counts a smaller input that is repeated as the one that it repeats', () => {
    const ofInput = { row: { body: 'random' }, status: 500 } as const;
    const first = numbered('e', { ...ofInput, role: 'reduction', step: 'smaller' });
    const again = numbered('b', { ...ofInput, step: 'repeated' });
    const right = numbered('c', { ...ofInput, step: 'random', status: 200 });
    const { findings } = evaluated([right, first, again, { ...again, id: 'd' }]);
    expect(findings.map(({ seen }) => seen)).toEqual([{ times: 3, of: 3 }]);
  });

  it('lists the least ids, in whatever order they come', () => {
    const ids = Array.from({ length: 500 }, (_, at) => `id${String((at * 167) % 500).padStart(3, '0')}`);
    const { exchanges } = evaluated(ids.map((id) => numbered(id)));
    expect(exchanges).toEqual([...ids].sort().slice(0, 50));
  });

  it('tells only so many kinds and violations apart, and never sees more than was tried', () => {
    const many = Array.from({ length: 3_000 }, (_, at) => numbered(`a${at}`, { label: `kind ${at}` }));
    const again = numbered('b', { label: 'kind 2999', status: 1000 });
    const ofItsKind = passiveCase({ evaluate: (exchange) => ({ ...notOk(exchange), kind: exchange.id }) });
    const { findings } = evaluated([...many, again], ofItsKind);
    expect(findings).toHaveLength(1_000);
    for (const { seen } of findings) expect(seen.times).toBeLessThanOrEqual(seen.of);
  });

  it('puts what is alike but for the exchange into one finding', () => {
    const result = evaluated([
      numbered('a', { label: 'one', status: 500 }),
      numbered('b', { label: 'two', status: 500 }),
      numbered('c', { label: 'two', status: 503 }),
    ]);
    expect(result.findings.map(({ actual, seen }) => [actual, seen])).toEqual(
      expect.arrayContaining([
        ['500', { times: 2, of: 3 }],
        ['503', { times: 1, of: 2 }],
      ]),
    );
    expect(result.findings).toHaveLength(2);
  });

  it('finds the same whatever the order of the answers', () => {
    const exchanges = Array.from({ length: 12 }, (_, at) =>
      numbered(`x/${at}`, { label: `kind ${at % 3}`, status: at % 4 === 0 ? 500 : at % 5 === 0 ? 503 : 200 }),
    );
    const expected = evaluated(exchanges);
    fc.assert(
      fc.property(fc.shuffledSubarray(exchanges, { minLength: 12 }), (shuffled) => {
        expect(evaluated(shuffled)).toEqual(expected);
      }),
    );
  });

  it('lists the same exchanges whatever the order of the answers', () => {
    const exchanges = Array.from({ length: 80 }, (_, at) => numbered(`x/${100 + at}`));
    expect(evaluated([...exchanges].reverse())).toEqual(evaluated(exchanges));
  });

  it('weighs a clause by its level', () => {
    const clause = (name: string): CaseResult =>
      evaluated(
        [numbered('a', { status: 500 })],
        passiveCase({ evaluate: (exchange) => ({ ...notOk(exchange), clause: name }) }),
      );
    expect(clause('weaker').outcome).toBe('warn');
    expect(clause('noted')).toMatchObject({ outcome: 'pass', message: 'noted: is answered 200' });
  });

  it('takes a page for one of something in front where a call with the scope got the same', () => {
    const inFront = { level: 'should', title: 'a page in front', violation: 'A page came' } as const;
    const known = passiveCase({
      evaluate: (exchange) =>
        exchange.label === 'with the scope'
          ? { ...notOk(exchange), clause: refusedInFront }
          : notOk(exchange),
    });
    const clauses = { [refusedInFront]: inFront };
    const planned = { ...known, requirement: { ...known.requirement, clauses } };
    const outcomeOf = (page: string): string => {
      const monitor = new PassiveMonitor(planned, undefined);
      monitor.observe(numbered('a', { label: 'without the scope', status: 403, body: '<h1>Forbidden' }));
      monitor.observe(numbered('b', { label: 'with the scope', status: 403, body: page }));
      const reporting = { baseUrl: 'https://shop.example', strict: false };
      return monitor.result(reporting, new Set(monitor.pagesInFront())).outcome;
    };
    expect(outcomeOf('<h1>Forbidden')).toBe('warn');
    expect(outcomeOf('<h1>Slow down')).toBe('fail');
  });

  it('names the cases that showed something only once', () => {
    const monitor = new PassiveMonitor(passiveCase(), undefined);
    monitor.observe(numbered('a', { label: 'once', status: 500 }));
    monitor.observe(numbered('b', { label: 'twice', status: 503 }));
    monitor.observe(numbered('c', { label: 'twice', status: 200 }));
    expect(monitor.unconfirmed().map(({ id }) => id)).toEqual(['a']);
    monitor.observe(numbered('d', { label: 'once', status: 200 }));
    expect(monitor.unconfirmed()).toEqual([]);
  });

  it('counts repetitions of its case as tries of a call that was not sent again', () => {
    const monitor = new PassiveMonitor(passiveCase(), undefined);
    const seen = (): unknown =>
      monitor.result({ baseUrl: 'https://shop.example', strict: false }).findings[0]?.seen;
    monitor.observe(numbered('a', { label: 'a part of a call', status: 500 }));
    expect(seen()).toEqual({ times: 1, of: 1 });
    for (const attempt of [91, 92])
      monitor.observe({ ...numbered(`b${attempt}`, { label: 'the call', status: 200 }), attempt });
    expect(seen()).toEqual({ times: 1, of: 3 });
  });
});
