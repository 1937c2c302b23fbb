import { describe, expect, it } from 'vitest';
import { exampleExchange } from '../checks/example-exchange.ts';
import { FieldCounts, fieldsSent } from './field-limit.ts';

type Call = readonly [fields: number, status: number, operation: string];

/** The limit that calls show by the number of their own fields. */
function limitOf(calls: readonly Call[]): FieldCounts['limit'] {
  const counts = new FieldCounts();
  for (const [fields, status, operation] of calls) {
    const exchange = exampleExchange({ status, operation });
    const headers = Array.from({ length: fields }, (_, at) => [`x-${at}`, '1'] as const);
    counts.note({ ...exchange, request: { ...exchange.request, headers } });
  }
  return counts.limit;
}

const calls = (beyond: number): readonly Call[] =>
  ['a', 'b', 'c'].flatMap((of): readonly Call[] => [
    [3, 200, of],
    ...[9, 10, 12, 20].map((fields): Call => [fields, beyond, of]),
  ]);

describe('a limit on header fields', () => {
  it('is the most that calls had that were answered otherwise, those included that the client adds', () => {
    expect(limitOf(calls(400))).toEqual({ most: 5, status: 400 });
    const exchange = exampleExchange({ row: { wire: ['offer of HTTP/2'] } });
    expect(fieldsSent({ ...exchange, request: { ...exchange.request, method: 'POST' } })).toBe(5);
  });

  it('is none where a call with as many fields got another answer, or all calls get the same', () => {
    expect(limitOf([...calls(400), [20, 401, 'a']])).toBeUndefined();
    expect(limitOf(calls(200))).toBeUndefined();
    expect(limitOf(calls(400).filter(([, status]) => status === 400))).toBeUndefined();
  });
});
