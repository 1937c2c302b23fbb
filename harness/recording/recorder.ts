import type { Exchange } from './exchange.ts';

/** Takes note of every exchange of a run; keeps none of them itself. */
export class Recorder {
  readonly #observers: Array<(exchange: Exchange) => void> = [];

  /** Has `observe` called with every exchange from now on. */
  subscribe(observe: (exchange: Exchange) => void): void {
    this.#observers.push(observe);
  }

  record(exchange: Exchange): void {
    for (const observe of this.#observers) observe(exchange);
  }
}
