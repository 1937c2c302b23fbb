import type { Exchange } from '../model/exchange.ts';
import type { Timeline } from '../model/report.ts';

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

  observe({ startedAt, durationMs, response, failure }: Exchange): void {
    const start = Date.parse(startedAt);
    if (Number.isNaN(start)) return;
    this.#add(Math.floor(start / this.#bucketMs), {
      requests: 1,
      throttled: response?.status === 429 ? 1 : 0,
      unanswered: failure !== undefined || response === undefined || response.status >= 500 ? 1 : 0,
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
