import { createHistogram } from 'node:perf_hooks';
import type { Exchange } from '../model/exchange.ts';
import type { Timeline, Traffic } from '../model/report.ts';

/** Counts what goes over the wire in constant memory. */
export class TrafficMeter {
  readonly #byStatus = new Map<string, number>();
  readonly #latencyMicros = createHistogram();
  readonly #timeline = new RequestTimeline();
  #requests = 0;
  #throttled = 0;

  readonly observe = (exchange: Exchange): void => {
    this.#requests += 1;
    this.#timeline.observe(exchange);
    const status = outcomeOf(exchange);
    this.#byStatus.set(status, (this.#byStatus.get(status) ?? 0) + 1);
    if (status === '429') this.#throttled += 1;
    this.#latencyMicros.record(Math.max(1, Math.round(exchange.durationMs * 1000)));
  };

  snapshot(): Traffic {
    const percentile = (share: number): number =>
      this.#requests === 0 ? 0 : Math.round(this.#latencyMicros.percentile(share) / 10) / 100;
    const timeline = this.#timeline.snapshot();
    return {
      requests: this.#requests,
      byStatus: Object.fromEntries([...this.#byStatus].sort(([a], [b]) => a.localeCompare(b))),
      throttled: this.#throttled,
      latencyMs: { p50: percentile(50), p95: percentile(95), p99: percentile(99) },
      ...(timeline === undefined ? {} : { timeline }),
    };
  }
}

/** The status of the response; `abandoned` where the harness left before it, and `none` where no complete one came. */
function outcomeOf({ failure, response }: Exchange): string {
  if (failure?.kind === 'abandoned') return 'abandoned';
  return failure === undefined ? String(response?.status ?? 'none') : 'none';
}

/** Whether the target failed to answer, with a server error or without any response. */
function isUnanswered(exchange: Exchange): boolean {
  const outcome = outcomeOf(exchange);
  return outcome === 'none' || Number(outcome) >= 500;
}

const mostBuckets = 80;
const shortestMs = 250;

interface Bucket {
  requests: number;
  throttled: number;
  unanswered: number;
  totalMs: number;
  maxMs: number;
}

/** Counts requests by the time of their start in constant memory; the order of the exchanges does not matter. */
export class RequestTimeline {
  #bucketMs = shortestMs;
  #buckets = new Map<number, Bucket>();
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;

  observe(exchange: Exchange): void {
    const { startedAt, durationMs, response } = exchange;
    const start = Date.parse(startedAt);
    if (Number.isNaN(start)) return;
    this.#add(Math.floor(start / this.#bucketMs), {
      requests: 1,
      throttled: response?.status === 429 ? 1 : 0,
      unanswered: isUnanswered(exchange) ? 1 : 0,
      totalMs: durationMs,
      maxMs: durationMs,
    });
    while (this.#last - this.#first >= mostBuckets) this.#double();
  }

  /** Undefined before the first request. */
  snapshot(): Timeline | undefined {
    if (this.#buckets.size === 0) return undefined;
    return {
      bucketMs: this.#bucketMs,
      buckets: Array.from({ length: this.#last - this.#first + 1 }, (_, at) => {
        const bucket = this.#buckets.get(this.#first + at);
        if (bucket === undefined) return { requests: 0, throttled: 0, unanswered: 0, meanMs: 0, maxMs: 0 };
        const { requests, throttled, unanswered, totalMs, maxMs } = bucket;
        return {
          requests,
          throttled,
          unanswered,
          meanMs: rounded(totalMs / requests),
          maxMs: rounded(maxMs),
        };
      }),
    };
  }

  #add(index: number, more: Bucket): void {
    this.#first = Math.min(this.#first, index);
    this.#last = Math.max(this.#last, index);
    const bucket = this.#buckets.get(index);
    if (bucket === undefined) {
      this.#buckets.set(index, { ...more });
      return;
    }
    bucket.requests += more.requests;
    bucket.throttled += more.throttled;
    bucket.unanswered += more.unanswered;
    bucket.totalMs += more.totalMs;
    bucket.maxMs = Math.max(bucket.maxMs, more.maxMs);
  }

  #double(): void {
    const before = this.#buckets;
    this.#bucketMs *= 2;
    this.#buckets = new Map();
    this.#first = Number.POSITIVE_INFINITY;
    this.#last = Number.NEGATIVE_INFINITY;
    for (const [index, bucket] of before) this.#add(Math.floor(index / 2), bucket);
  }
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
