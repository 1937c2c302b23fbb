import { createHistogram } from 'node:perf_hooks';
import type { Exchange } from '../model/exchange.ts';
import type { Traffic } from '../model/report.ts';
import { RequestTimeline } from './request-timeline.ts';

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
    const status = exchange.failure === undefined ? String(exchange.response?.status ?? 'none') : 'none';
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
