import { expect, it } from 'vitest';
import { exampleExchange } from '../checks/example-exchange.ts';
import type { Exchange } from '../model/exchange.ts';
import { sequenceSteps } from './sequence-steps.ts';

function exchange(id: string, values: Exchange['request']['values'], text: string = '{}'): Exchange {
  const example = exampleExchange({ status: 200 });
  const body = { text, encoding: 'utf-8', bytes: text.length, truncated: false, json: 'object' } as const;
  return {
    ...example,
    id,
    request: { ...example.request, values },
    response: { status: 200, headers: [], body },
  };
}

const session = { sessionId: { value: 'cs_1', source: 'captured' } } as const;
const created = exchange('1', {}, '{"id":"cs_1"}');
const foreign = exchange('2', {}, '{"id":"cs_2"}');
const read = exchange('3', session);
const cancelled = exchange('4', session);

it('holds the exchange that issued the value and all that used it, in order', () => {
  const steps = sequenceSteps(cancelled, [created, foreign, read, cancelled, exchange('5', session)]);
  expect(steps.map(({ id }) => id)).toEqual(['1', '3', '4']);
});

it('is empty for an exchange that stands alone', () => {
  expect(sequenceSteps(foreign, [created, foreign])).toEqual([]);
  expect(sequenceSteps(read, [read])).toEqual([]);
});

it('keeps the issuing exchange and the last ones of a long sequence', () => {
  const many = Array.from({ length: 40 }, (_, index) => exchange(`r${index}`, session));
  const steps = sequenceSteps(cancelled, [created, ...many, cancelled]);
  expect(steps).toHaveLength(12);
  expect([steps[0]?.id, steps.at(-1)?.id]).toEqual(['1', '4']);
});
