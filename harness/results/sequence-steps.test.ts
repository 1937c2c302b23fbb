import { describe, expect, it } from 'vitest';
import { exampleExchange } from '../checks/example-exchange.ts';
import type { Violation } from '../model/evaluation.ts';
import type { Exchange } from '../model/exchange.ts';
import { violationOf } from './results-for-tests.ts';
import { sequenceSteps } from './sequence-steps.ts';

function exchange(id: string, values: Exchange['request']['values'], text: string = '{}'): Exchange {
  return { ...exampleExchange({ status: 200, label: id, values, body: text }), id };
}

const of = (exchange: Exchange, change: Partial<Violation> = {}): Violation =>
  violationOf({ exchange, actual: '200', ...change });

const session = { sessionId: { value: 'cs_1', source: 'captured' } } as const;
const created = exchange('1', {}, '{"id":"cs_1"}');
const foreign = exchange('2', {}, '{"id":"cs_2"}');
const read = exchange('3', session);
const cancelled = exchange('4', session);

it('holds the exchange that issued the value and all that used it, in order', () => {
  const steps = sequenceSteps(of(cancelled), [created, foreign, read, cancelled, exchange('5', session)]);
  expect(steps.map(({ id }) => id)).toEqual(['1', '3', '4']);
});

it('is empty for an exchange that stands alone', () => {
  expect(sequenceSteps(of(foreign), [created, foreign])).toEqual([]);
  expect(sequenceSteps(of(read), [read])).toEqual([]);
});

describe('of a long sequence', () => {
  const others = Array.from({ length: 40 }, (_, index) =>
    exchange(`o${index}`, { sessionId: { value: 'cs_2', source: 'captured' } }),
  );

  it('keeps the issuing exchange and the last ones', () => {
    const many = Array.from({ length: 40 }, (_, index) => exchange(`r${index}`, session));
    const steps = sequenceSteps(of(cancelled), [created, ...many, cancelled]);
    expect(steps).toHaveLength(16);
    expect([steps[0]?.id, steps.at(-1)?.id]).toEqual(['1', '4']);
  });

  it('keeps all on the values of the violation, and of other values what follows their issue, while there is room', () => {
    const steps = [created, foreign, ...others, cancelled];
    const kept = sequenceSteps(of(cancelled, { steps }), steps).map(({ id }) => id);
    expect(kept).toEqual(['1', '2', ...others.slice(0, 13).map(({ id }) => id), '4']);
  });

  it('keeps a call that spells the id otherwise, and the last of equal reads', () => {
    const spelled = {
      ...exchange('5', { sessionId: { value: 'CS_1', source: 'generated' } }, '{"id":"cs_1"}'),
    };
    const reads = [6, 7, 8].map((id) => ({ ...read, id: String(id) }));
    const all = [created, read, { ...spelled, row: { session: 'cs_1' } }, ...reads];
    const last = all.at(-1) ?? read;
    const steps = [foreign, ...others, ...all];
    const kept = sequenceSteps(of(last, { steps }), steps).map(({ id }) => id);
    expect(kept.slice(-4)).toEqual(['1', '3', '5', '8']);
  });
});

it('goes on to the reads that show what the response itself does not', () => {
  const later = { ...exchange('5', session), operation: 'readSession' };
  const all = [created, read, cancelled, later, { ...later, id: '6' }, exchange('7', session)];
  const steps = sequenceSteps(of(cancelled, { actual: '200, and then a changed session' }), all);
  expect(steps.map(({ id }) => id)).toEqual(['1', '3', '4', '6']);
});

it('is what the check names', () => {
  const steps = [foreign, cancelled];
  expect(sequenceSteps(of(cancelled, { steps }), [created, foreign, read, cancelled])).toBe(steps);
});

it('follows a value that a request has in its body', () => {
  const issued = exchange('1', {}, '{"state":"st_1","shop":"shop-1"}');
  const text = '{"state":"st_1","shop":"shop-1"}';
  const body = { text, encoding: 'utf-8', bytes: text.length, truncated: false, json: 'object' } as const;
  const returned: Exchange = { ...read, request: { ...read.request, values: {}, body } };
  expect(sequenceSteps(of(returned), [foreign, issued, returned]).map(({ id }) => id)).toEqual(['1', '3']);
});

it('does not follow a text of the request that an earlier response only repeats with more around it', () => {
  const saying = (id: string, text: string): Exchange => {
    const body = { text, encoding: 'utf-8', bytes: text.length, truncated: false, json: 'object' } as const;
    const one = exchange(id, {}, text);
    return { ...one, request: { ...one.request, body } };
  };
  const [longer, plain] = [saying('1', '{"reason":"too late, alas"}'), saying('2', '{"reason":"too late"}')];
  expect(sequenceSteps(of(plain), [longer, plain])).toEqual([]);
});
