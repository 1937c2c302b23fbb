import { describe, expect, it } from 'vitest';
import type { CollectiveCheck } from '../../checks/check.ts';
import { inconclusive, pass, violatedOr } from '../../checks/outcomes.ts';
import { statusOf } from '../../evidence/answer.ts';
import type { Exchange } from '../../model/exchange.ts';
import { collectiveCase, notOk, numbered } from './cases-for-tests.ts';
import { Collection } from './collection.ts';

const reporting = { baseUrl: 'https://h', strict: false };

function collect(exchanges: readonly Exchange[], check: Partial<CollectiveCheck> = {}): Collection {
  const collection = new Collection([collectiveCase('a', check), collectiveCase('b', check)], undefined);
  for (const exchange of exchanges) collection.observe(exchange);
  return collection;
}

const at = (id: string, second: number, operation = 'a', status = 200): Exchange =>
  numbered(id, { operation, status, at: new Date(second * 1000).toISOString() });

describe('Collection', () => {
  it('keeps the first and the last of each kind, of all operations, in order of time', () => {
    const shown: string[][] = [];
    collect([at('3', 3), at('1', 1), at('2', 2), at('9', 4, 'b')], {
      evaluate: ({ exchanges }) => {
        shown.push(exchanges.map(({ id }) => id));
        return pass('');
      },
    }).results(reporting);
    expect(shown).toEqual([
      ['1', '3', '9'],
      ['1', '3', '9'],
    ]);
  });

  it('leaves out what the check does not speak of', () => {
    const dedupeKey = (exchange: Exchange): string | undefined =>
      statusOf(exchange) === 200 ? undefined : 'bad';
    const evaluate = notingEvaluate();
    collect([at('1', 1), at('2', 2, 'a', 404)], { dedupeKey, evaluate: evaluate.evaluate }).results(
      reporting,
    );
    expect(evaluate.seen).toEqual([['2'], ['2']]);
  });

  it('gives one result for each operation, with its own exchanges', () => {
    const results = collect([at('1', 1), at('2', 2, 'b')], {
      evaluate: ({ operation }) => (operation.id === 'a' ? pass('held') : inconclusive('why')),
    }).results(reporting);
    expect(results.map(({ operation, outcome, exchanges }) => [operation, outcome, exchanges])).toEqual([
      ['a', 'pass', ['1']],
      ['b', 'inconclusive', ['2']],
    ]);
  });

  it('says how often a violation was seen', () => {
    const evaluate: CollectiveCheck['evaluate'] = ({ exchanges, operation }) =>
      violatedOr(
        exchanges
          .filter((one) => one.operation === operation.id && statusOf(one) !== 200)
          .slice(0, 1)
          .map(notOk),
        () => pass('held'),
      );
    const [a, b] = collect(
      [at('1', 1, 'a', 404), at('2', 2, 'a', 404), at('3', 3, 'a', 404), at('4', 4, 'b')],
      {
        evaluate,
      },
    ).results(reporting);
    expect(a).toMatchObject({ outcome: 'fail', findings: [{ seen: { times: 3, of: 3 } }] });
    expect(b?.outcome).toBe('pass');
  });

  it('keeps a bounded number of kinds', () => {
    const evaluate = notingEvaluate();
    const collection = collect([], { dedupeKey: ({ id }) => id, evaluate: evaluate.evaluate });
    for (let count = 0; count < 1_500; count += 1) collection.observe(at(`x${count}`, count));
    collection.results(reporting);
    expect(evaluate.seen[0]).toHaveLength(1_000);
  });

  // Which of two requests under way at once comes first changes from run to run, and the id of a finding with it.
  it('finds the same whatever the order of the answers', () => {
    const evaluate: CollectiveCheck['evaluate'] = ({ exchanges }) =>
      violatedOr(exchanges.slice(0, 1).map(notOk), () => pass(''));
    const one = (second: number): Exchange => ({ ...at('x/1', second, 'a', 404), label: 'one' });
    const two = (second: number): Exchange => ({ ...at('x/2', second, 'a', 404), label: 'two' });
    const idOf = (exchanges: readonly Exchange[]): string | undefined =>
      collect(exchanges, { evaluate }).results(reporting)[0]?.findings[0]?.id;
    expect(idOf([one(1), two(2)])).toBe(idOf([two(1), one(2)]));
  });
});

function notingEvaluate(): { readonly seen: string[][]; readonly evaluate: CollectiveCheck['evaluate'] } {
  const seen: string[][] = [];
  return {
    seen,
    evaluate: ({ exchanges }) => {
      seen.push(exchanges.map(({ id }) => id));
      return pass('');
    },
  };
}
