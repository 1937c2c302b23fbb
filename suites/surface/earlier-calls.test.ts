import { expect, it } from 'vitest';
import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import { KeyRing } from '../../harness/requests/key-ring.ts';
import { callOf, callsAt } from './earlier-calls.ts';

const operation = exampleOperation();
const keys = new KeyRing({ keys: {}, authorization: '{key}' }, { add: () => undefined }, 1);
const known = {
  ...{ operation, operations: [operation], keys, random: () => 0 },
  valid: exampleExchange({ status: 200, headers: { date: 'now' } }),
};
const callsNamed = (...ids: readonly string[]) => callsAt(operation).filter(({ id }) => ids.includes(id));

it('a call that the client leaves has its forms on the wire in its row, which nothing else shows', () => {
  const { row, wire } = callOf(callsNamed('abandoned'), known);
  expect(row).toEqual({ earlier: ['abandoned'], wire });
});

it('calls that join have the headers of all', () => {
  const { row, headers } = callOf(callsNamed('compressed', 'range', 'page', 'reload'), known);
  expect(row).toEqual({ earlier: ['compressed', 'range', 'page', 'reload'] });
  expect(Object.keys(headers ?? {})).toEqual([
    ...['accept-encoding', 'range', 'accept', 'cache-control'],
    'if-modified-since',
  ]);
});
