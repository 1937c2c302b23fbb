import { describe, expect, it } from 'vitest';
import { exampleExchange, exampleOperation } from '../checks/example-exchange.ts';
import { CoverageLedger } from './coverage-ledger.ts';
import { Recorder } from './recorder.ts';
import { TrafficMeter } from './traffic-meter.ts';

const listing = exampleOperation({ id: 'list', auth: 'none' });
const hosted = exampleOperation({
  id: 'hosted',
  scope: 'catalog:read',
  requestSchema: 'Any',
  pathParameters: ['sessionId'],
});

describe('CoverageLedger', () => {
  it('counts the statuses of each operation', () => {
    const ledger = new CoverageLedger();
    for (const status of [200, 200, 404]) ledger.observe(exampleExchange({ operation: 'list', status }));
    ledger.observe(exampleExchange({ operation: 'hosted', status: 200 }));
    const entries = ledger.entries([listing, hosted]);
    expect(entries).toHaveLength(listing.statuses.length + hosted.statuses.length);
    expect(entries.filter(({ observed }) => observed > 0)).toEqual([
      { operation: 'list', status: 200, observed: 2, reason: null },
      { operation: 'list', status: 404, observed: 1, reason: null },
      { operation: 'hosted', status: 200, observed: 1, reason: null },
    ]);
  });

  it('counts a status that the contract does not have, where it was seen', () => {
    const ledger = new CoverageLedger();
    for (const status of [500, 200, 500]) ledger.observe(exampleExchange({ operation: 'list', status }));
    const entries = ledger.entries([listing, hosted]);
    expect(entries.filter(({ undocumented }) => undocumented)).toEqual([
      { operation: 'list', status: 500, observed: 2, reason: null, undocumented: true },
    ]);
  });

  it('does not count half an answer, or none', () => {
    const ledger = new CoverageLedger();
    ledger.observe(exampleExchange({ operation: 'list', status: 200, failure: 'reset' }));
    ledger.observe(exampleExchange({ operation: 'list', failure: 'timeout' }));
    expect(ledger.entries([listing]).every(({ observed }) => observed === 0)).toBe(true);
  });

  it('says why a status was not seen, by what the operation takes', () => {
    const reasons = (operation: typeof listing): Record<string, string | null> =>
      Object.fromEntries(
        new CoverageLedger().entries([operation]).map(({ status, reason }) => [status, reason]),
      );
    expect(reasons(listing)).toMatchObject({
      400: expect.stringContaining('cannot be malformed'),
      401: 'the operation needs no credentials',
      403: 'the operation needs no scope',
      404: expect.stringContaining('names no resource'),
      409: expect.stringContaining('not observed'),
      429: expect.stringContaining('not observed'),
    });
    expect(reasons(hosted)).toMatchObject({ 200: 'no valid call succeeded', 401: 'no call got this status' });
  });
});

describe('TrafficMeter', () => {
  it('counts requests by status, and those without an answer', () => {
    const meter = new TrafficMeter();
    for (const parts of [{ status: 200 }, { status: 429 }, { status: 200, failure: 'reset' as const }, {}]) {
      meter.observe(exampleExchange(parts));
    }
    expect(meter.snapshot()).toMatchObject({
      requests: 4,
      byStatus: { 200: 1, 429: 1, none: 2 },
      throttled: 1,
    });
  });

  it('measures latencies within a hundredth', () => {
    const meter = new TrafficMeter();
    for (let ms = 1; ms <= 100; ms += 1)
      meter.observe({ ...exampleExchange({ status: 200 }), durationMs: ms });
    const { p50, p95, p99 } = meter.snapshot().latencyMs;
    for (const [measured, exact] of [
      [p50, 50],
      [p95, 95],
      [p99, 99],
    ] as const) {
      expect(Math.abs(measured - exact)).toBeLessThanOrEqual(exact / 50);
    }
  });

  it('is all zero before anything was sent', () => {
    expect(new TrafficMeter().snapshot()).toEqual({
      requests: 0,
      byStatus: {},
      throttled: 0,
      latencyMs: { p50: 0, p95: 0, p99: 0 },
    });
  });
});

describe('Recorder', () => {
  it('tells every observer of every exchange from its subscription on', () => {
    const recorder = new Recorder();
    const seen: string[] = [];
    const exchange = exampleExchange({ status: 200 });
    recorder.record(exchange);
    recorder.on('exchange', ({ id }) => seen.push(`a ${id}`));
    recorder.on('exchange', ({ id }) => seen.push(`b ${id}`));
    recorder.record(exchange);
    expect(seen).toEqual([`a ${exchange.id}`, `b ${exchange.id}`]);
  });
});
