import { expect, it } from 'vitest';
import { exampleExchange } from '../checks/example-exchange.ts';
import type { Exchange } from '../model/exchange.ts';
import { RequestTimeline } from './traffic-meter.ts';

function at(ms: number, status: number = 200): Exchange {
  return { ...exampleExchange({ status }), startedAt: new Date(ms).toISOString(), durationMs: 5 };
}

function snapshotOf(exchanges: readonly Exchange[]): ReturnType<RequestTimeline['snapshot']> {
  const timeline = new RequestTimeline();
  for (const exchange of exchanges) timeline.observe(exchange);
  return timeline.snapshot();
}

it('counts requests by their start, with throttling and failures', () => {
  expect(snapshotOf([at(0), at(10, 429), at(600, 503)])).toEqual({
    bucketMs: 250,
    buckets: [
      { requests: 2, throttled: 1, unanswered: 0, meanMs: 5, maxMs: 5 },
      { requests: 0, throttled: 0, unanswered: 0, meanMs: 0, maxMs: 0 },
      { requests: 1, throttled: 0, unanswered: 1, meanMs: 5, maxMs: 5 },
    ],
  });
});

it('stays small however long a run is, and loses no request', () => {
  const exchanges = Array.from({ length: 5_000 }, (_, index) => at(index * 1_700));
  const timeline = snapshotOf(exchanges);
  expect(timeline?.buckets.length).toBeLessThanOrEqual(80);
  expect(timeline?.buckets.reduce((sum, { requests }) => sum + requests, 0)).toBe(5_000);
  expect(snapshotOf(exchanges.toReversed())).toEqual(timeline);
});

it('is undefined before the first request', () => {
  expect(snapshotOf([])).toBeUndefined();
});
