import type { Exchange } from './exchange.ts';

/** Takes note of every exchange of a run; keeps none of them itself. */
export class Recorder {
  readonly #numbers = new Map<string, number>();
  readonly #observers: Array<(exchange: Exchange) => void> = [];

  readonly #observersOf = new Map<string, Array<(exchange: Exchange) => void>>();

  /** Has `observe` called with every exchange from now on. */
  subscribe(observe: (exchange: Exchange) => void): void {
    this.#observers.push(observe);
  }

  /** Has `observe` called with every exchange of one operation from now on. */
  subscribeTo(operation: string, observe: (exchange: Exchange) => void): void {
    const observers = this.#observersOf.get(operation);
    if (observers === undefined) this.#observersOf.set(operation, [observe]);
    else observers.push(observe);
  }

  /** 1 for the first request of an attempt at a case, and so on, whoever sends it: ids are unique in a run. */
  nextNumber(attempt: string): number {
    const number = (this.#numbers.get(attempt) ?? 0) + 1;
    this.#numbers.set(attempt, number);
    return number;
  }

  record(exchange: Exchange): void {
    for (const observe of this.#observers) observe(exchange);
    for (const observe of this.#observersOf.get(exchange.operation) ?? []) observe(exchange);
  }
}
