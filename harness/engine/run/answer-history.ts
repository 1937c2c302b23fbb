import type { Exchange } from '../../model/exchange.ts';
import { isPlain } from '../../results/causes/sighting.ts';

/** Calls whose times are kept; of more, nothing is said. */
const mostTimes = 10_000;
/** Valid calls that fail to the end, from which on something has run out. */
const leastFailures = 3;

/** What one operation answered when, as far as it tells after what its valid calls failed for good. */
export class AnswerHistory {
  /** When calls were sent that were answered with a status below 500. */
  readonly #times = new Map<number, number[]>();
  readonly #failures: number[] = [];
  #lastServed = Number.NEGATIVE_INFINITY;

  /** Notes an exchange; the order does not matter. */
  readonly observe = (exchange: Exchange): void => {
    const status = exchange.response?.status ?? 0;
    const at = Date.parse(exchange.startedAt);
    if (isPlain(exchange) && status === 200) this.#lastServed = Math.max(this.#lastServed, at);
    if (status >= 500 && !isPlain(exchange)) return;
    const times = status >= 500 ? this.#failures : (this.#times.get(status) ?? []);
    if (status < 500) this.#times.set(status, times);
    if (times.length < mostTimes) times.push(at);
  };

  /** After how many calls the valid call failed and was never answered 200 again; undefined where it comes and goes, or always failed. */
  lastingFailure(): string | undefined {
    const since = Math.min(...this.#failures);
    const isLasting = this.#lastServed > Number.NEGATIVE_INFINITY && this.#lastServed < since;
    const isFull = [...this.#times.values()].some(({ length }) => length >= mostTimes);
    if (!isLasting || isFull || this.#failures.length < leastFailures) return undefined;
    const counts = [...this.#times]
      .sort(([a], [b]) => a - b)
      .map(([status, times]) => [status, times.filter((time) => time < since).length] as const)
      .filter(([status, count]) => status > 0 && count > 0)
      .map(([status, count]) => `${count} with ${status}`);
    return `after calls of the operation were answered, ${counts.join(', ')}`;
  }
}
