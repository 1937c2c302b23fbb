import type { Exchange } from '../model/exchange.ts';
import { isPlain } from '../results/plain-failure.ts';

/** Calls whose times are kept; of more, nothing is said. */
const mostTimes = 10_000;
/** Valid calls that fail to the end, from which on something has run out. */
const leastFailures = 3;

/** What one operation answered when, as far as it tells after what its valid calls failed for good. */
export class AnswerHistory {
  readonly #served: number[] = [];
  readonly #refused: number[] = [];
  readonly #failures: number[] = [];
  #lastServed = Number.NEGATIVE_INFINITY;

  /** Notes an exchange; the order does not matter. */
  readonly observe = (exchange: Exchange): void => {
    const status = exchange.response?.status ?? 0;
    const at = Date.parse(exchange.startedAt);
    if (isPlain(exchange) && status === 200) this.#lastServed = Math.max(this.#lastServed, at);
    const times = status >= 500 ? this.#failures : status >= 400 ? this.#refused : this.#served;
    if (times.length < mostTimes && (status < 500 || isPlain(exchange))) times.push(at);
  };

  /** After how many calls the valid call failed and was never answered 200 again; undefined where it comes and goes, or always failed. */
  lastingFailure(): string | undefined {
    const since = Math.min(...this.#failures);
    const isLasting = this.#lastServed > Number.NEGATIVE_INFINITY && this.#lastServed < since;
    const isFull = [this.#served, this.#refused].some(({ length }) => length >= mostTimes);
    if (!isLasting || isFull || this.#failures.length < leastFailures) return undefined;
    const [served, refused] = [this.#served, this.#refused].map(
      (times) => times.filter((time) => time < since).length,
    );
    return `after ${served} calls of the operation that were served and ${refused} that were refused`;
  }
}
