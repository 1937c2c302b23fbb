import { describe, expect, it } from 'vitest';
import { exampleExchange, exampleOperation } from '../checks/example-exchange.ts';
import type { Exchange } from '../model/exchange.ts';
import { ShapeLedger } from './shape-ledger.ts';

const operation = exampleOperation();

function answer(status: number, body: string, change: Partial<Exchange> = {}): Exchange {
  return { ...exampleExchange({ status, body }), operation: operation.id, ...change };
}

function entriesOf(...exchanges: readonly Exchange[]) {
  const ledger = new ShapeLedger();
  for (const exchange of exchanges) ledger.observe(exchange);
  return ledger.entries([operation]);
}

describe('the ledger of shapes', () => {
  it('keeps the bodies of each documented status apart, and reads equal ones once', () => {
    const entries = entriesOf(answer(200, '{"a":1}'), answer(200, '{"a":1}'), answer(404, '{"code":"x"}'));
    expect(entries.map(({ status, shape }) => [status, shape.bodies, shape.members.at(-1)])).toEqual([
      [200, 2, { path: '/a', types: { number: 1 }, seen: 1, of: 1 }],
      [404, 1, { path: '/code', types: { string: 1 }, seen: 1, of: 1 }],
    ]);
  });

  it('leaves out what is no JSON, no documented status or no answer', () => {
    expect(
      entriesOf(
        answer(200, '<html>'),
        answer(200, ''),
        answer(500, '{"a":1}'),
        answer(200, '{"a":1}', { failure: { kind: 'reset', message: 'cut' } }),
      ),
    ).toEqual([]);
  });

  it('counts a body that was not recorded whole, and reads nothing from it', () => {
    const whole = answer(200, '{"a":1}');
    if (whole.response === undefined) throw new Error('the example has an answer');
    const body = { ...whole.response.body, text: '{"a"', truncated: true };
    const [entry] = entriesOf({ ...whole, response: { ...whole.response, body } });
    expect(entry?.shape).toEqual({ bodies: 1, unread: 1, cut: false, members: [] });
  });

  it('leaves out answers of whoever a path may have led to', () => {
    const made = answer(200, '{"a":1}');
    const values = { slug: { value: '../x', source: 'generated' as const } };
    expect(entriesOf({ ...made, request: { ...made.request, path: '/api/v1/..%2fx', values } })).toEqual([]);
  });
});
