import { createHistogram } from 'node:perf_hooks';
import type { Exchange } from '../model/exchange.ts';
import type { Timeline, Traffic } from '../model/report.ts';
import { isBlockedInFront, startOf } from './answer.ts';

/** Counts what goes over the wire in constant memory. */
export class TrafficMeter {
  readonly #byStatus = new Map<string, number>();
  readonly #latencyMicros = createHistogram();
  readonly #timeline = new RequestTimeline();
  #requests = 0;
  readonly #blocked = new Map<string, number>();

  readonly observe = (exchange: Exchange, needsScope = false): void => {
    this.#requests += 1;
    this.#timeline.observe(exchange);
    const status = outcomeOf(exchange);
    this.#byStatus.set(status, (this.#byStatus.get(status) ?? 0) + 1);
    const { role, operation } = exchange;
    // The preflight asks for it.
    if (role !== 'preflight' && isBlockedInFront(exchange, needsScope))
      this.#blocked.set(operation, (this.#blocked.get(operation) ?? 0) + 1);
    this.#latencyMicros.record(Math.max(1, Math.round(exchange.durationMs * 1000)));
  };

  snapshot(): Traffic {
    const percentile = (share: number): number =>
      this.#requests === 0 ? 0 : Math.round(this.#latencyMicros.percentile(share) / 10) / 100;
    const timeline = this.#timeline.snapshot();
    return {
      requests: this.#requests,
      byStatus: Object.fromEntries([...this.#byStatus].sort(([a], [b]) => a.localeCompare(b))),
      throttled: this.#byStatus.get('429') ?? 0,
      ...(this.#blocked.size > 0 && { blocked: Object.fromEntries(this.#blocked) }),
      latencyMs: { p50: percentile(50), p95: percentile(95), p99: percentile(99) },
      ...(timeline === undefined ? {} : { timeline }),
    };
  }
}

/** The status of the response; `abandoned` if the harness gave up before it, `none` if no complete one arrived. */
function outcomeOf({ failure, response }: Exchange): string {
  if (failure?.kind === 'abandoned') return 'abandoned';
  return failure === undefined ? String(response?.status ?? 'none') : 'none';
}

const mostBuckets = 80;
const shortestMs = 250;

const nothing = { requests: 0, throttled: 0, unanswered: 0, totalMs: 0, maxMs: 0 };
type Bucket = Readonly<typeof nothing>;

/** Counts requests by the time of their start in constant memory; the order of the exchanges does not matter. */
export class RequestTimeline {
  #bucketMs = shortestMs;
  #buckets = new Map<number, Bucket>();

  observe(exchange: Exchange): void {
    const { durationMs, response } = exchange;
    const start = startOf(exchange);
    if (Number.isNaN(start)) return;
    const outcome = outcomeOf(exchange);
    this.#add(Math.floor(start / this.#bucketMs), {
      requests: 1,
      throttled: response?.status === 429 ? 1 : 0,
      unanswered: outcome === 'none' || Number(outcome) >= 500 ? 1 : 0,
      totalMs: durationMs,
      maxMs: durationMs,
    });
    for (let [first, last] = this.#span(); last - first >= mostBuckets; [first, last] = this.#span()) {
      const before = this.#buckets;
      this.#bucketMs *= 2;
      this.#buckets = new Map();
      for (const [index, bucket] of before) this.#add(Math.floor(index / 2), bucket);
    }
  }

  snapshot(): Timeline | undefined {
    if (this.#buckets.size === 0) return undefined;
    const [first, last] = this.#span();
    return {
      bucketMs: this.#bucketMs,
      buckets: Array.from({ length: last - first + 1 }, (_, at) => {
        const { totalMs, maxMs, ...counts } = this.#buckets.get(first + at) ?? nothing;
        const meanMs = rounded(totalMs / Math.max(1, counts.requests));
        return { ...counts, meanMs, maxMs: rounded(maxMs) };
      }),
    };
  }

  #span(): readonly [first: number, last: number] {
    const indices = [...this.#buckets.keys()];
    return [Math.min(...indices), Math.max(...indices)];
  }

  #add(index: number, more: Bucket): void {
    const bucket = this.#buckets.get(index) ?? nothing;
    this.#buckets.set(index, {
      requests: bucket.requests + more.requests,
      throttled: bucket.throttled + more.throttled,
      unanswered: bucket.unanswered + more.unanswered,
      totalMs: bucket.totalMs + more.totalMs,
      maxMs: Math.max(bucket.maxMs, more.maxMs),
    });
  }
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
