import type { Exchange } from '../model/exchange.ts';
import type { Exclusion } from '../model/target.ts';

/** What there is to know of one attempt at a case besides its exchanges: with these, it can be judged again. */
export interface AttemptRecord {
  readonly case: Exchange['case'];
  /** Counts the attempts at the case from 1. */
  readonly attempt: number;
  /** Ids of the exchanges that the judge saw, in the order in which it saw them. */
  readonly evaluated: readonly string[];
  /** Ordinary answers of which the judge only knew the number. */
  readonly omittedCount: number;
  /** What the user had left out, as far as it took effect. */
  readonly appliedExclusions: readonly Exclusion[];
  /** Why the probe could not go on; absent where it came to its end. */
  readonly gaveUp?: { readonly reason: string; readonly remedy?: string; readonly transient: boolean };
  /** Exchanges of the whole run that were recorded when the attempt was judged. */
  readonly after: number;
}

/** Takes note of every exchange of a run; keeps none of them itself. */
export class Recorder {
  readonly #numbers = new Map<string, number>();
  readonly #observers: Array<(exchange: Exchange) => void> = [];
  readonly #attemptObservers: Array<(attempt: AttemptRecord) => void> = [];
  readonly #observersOf = new Map<string, Array<(exchange: Exchange) => void>>();
  #count = 0;

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

  /** Has `observe` called with every attempt that is judged from now on. */
  subscribeToAttempts(observe: (attempt: AttemptRecord) => void): void {
    this.#attemptObservers.push(observe);
  }

  /** 1 for the first request of an attempt at a case, and so on, whoever sends it: ids are unique in a run. */
  nextNumber(attempt: string): number {
    const number = (this.#numbers.get(attempt) ?? 0) + 1;
    this.#numbers.set(attempt, number);
    return number;
  }

  record(exchange: Exchange): void {
    this.#count += 1;
    for (const observe of this.#observers) observe(exchange);
    for (const observe of this.#observersOf.get(exchange.operation) ?? []) observe(exchange);
  }

  /** To be called when an attempt is judged. */
  recordAttempt(attempt: Omit<AttemptRecord, 'after'>): void {
    for (const observe of this.#attemptObservers) observe({ ...attempt, after: this.#count });
  }
}
