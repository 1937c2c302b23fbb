import type { Exchange } from '../model/exchange.ts';
import type { RecordedAttempt } from './evidence-format.ts';
import { BlockRecognizer } from './recognize-blocks.ts';

/** Passes every exchange of a run to its observers; keeps none. */
export class Recorder {
  readonly #blocks = new BlockRecognizer();
  readonly #numbers = new Map<string, number>();
  readonly #observers: Array<(exchange: Exchange) => void> = [];
  readonly #attemptObservers: Array<(attempt: RecordedAttempt) => void> = [];
  #count = 0;

  /** Calls `observe` with every exchange from now on. */
  subscribe(observe: (exchange: Exchange) => void): void {
    this.#observers.push(observe);
  }

  /** Calls `observe` with every evaluated attempt from now on. */
  subscribeToAttempts(observe: (attempt: RecordedAttempt) => void): void {
    this.#attemptObservers.push(observe);
  }

  /** The next number within an attempt, from 1; makes ids unique in a run. */
  nextNumber(attempt: string): number {
    const number = (this.#numbers.get(attempt) ?? 0) + 1;
    this.#numbers.set(attempt, number);
    return number;
  }

  /** Records an exchange, marked where a firewall in front answered it. */
  record(answered: Exchange): Exchange {
    const { request: _q, response: _s, failure: _f, startedAt: _a, durationMs: _d, ...about } = answered;
    // In the order in which evidence holds the members.
    const exchange = this.#blocks.isBlocked(answered)
      ? { ...about, blockedInFront: true as const, ...answered }
      : answered;
    this.#count += 1;
    for (const observe of this.#observers) observe(exchange);
    return exchange;
  }

  /** Exchanges so far. */
  get count(): number {
    return this.#count;
  }

  /** Notes an evaluated attempt. */
  recordAttempt(attempt: RecordedAttempt): void {
    for (const observe of this.#attemptObservers) observe(attempt);
  }
}
