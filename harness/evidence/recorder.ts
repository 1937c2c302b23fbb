import type { RecordedDecisions } from '../model/decisions.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Exclusion } from '../model/target.ts';

/** What an evaluation of one attempt needs besides its exchanges. */
export interface AttemptRecord {
  readonly case: Exchange['case'];
  /** Counts the attempts at the case from 1. */
  readonly attempt: number;
  /** Ids of the evaluated exchanges of its own, in their order. */
  readonly evaluated: readonly string[];
  /** Exchanges of other cases that stand for steps of this one, evaluated before its own; absent where there are none. */
  readonly shared?: ReadonlyArray<{ readonly id: string; readonly step?: string | undefined }>;
  /** Number of ordinary exchanges that were only counted. */
  readonly omittedCount: number;
  /** Exclusions that took effect. */
  readonly appliedExclusions: readonly Exclusion[];
  /** What it decided by more than its responses; absent where all was as usual. */
  readonly decisions?: RecordedDecisions;
  /** Why the probe stopped; absent where it completed. */
  readonly gaveUp?: { readonly reason: string; readonly remedy?: string; readonly transient: boolean };
  /** Exchanges of the whole run recorded before the evaluation. */
  readonly after: number;
}

/** Passes every exchange of a run to its observers; keeps none. */
export class Recorder {
  readonly #numbers = new Map<string, number>();
  readonly #observers: Array<(exchange: Exchange) => void> = [];
  readonly #attemptObservers: Array<(attempt: AttemptRecord) => void> = [];
  readonly #observersOf = new Map<string, Array<(exchange: Exchange) => void>>();
  #count = 0;

  /** Calls `observe` with every exchange from now on. */
  subscribe(observe: (exchange: Exchange) => void): void {
    this.#observers.push(observe);
  }

  /** Calls `observe` with every exchange of one operation from now on. */
  subscribeTo(operation: string, observe: (exchange: Exchange) => void): void {
    const observers = this.#observersOf.get(operation);
    if (observers === undefined) this.#observersOf.set(operation, [observe]);
    else observers.push(observe);
  }

  /** Calls `observe` with every evaluated attempt from now on. */
  subscribeToAttempts(observe: (attempt: AttemptRecord) => void): void {
    this.#attemptObservers.push(observe);
  }

  /** The next number within an attempt, from 1; makes ids unique in a run. */
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

  /** Notes an evaluated attempt. */
  recordAttempt(attempt: Omit<AttemptRecord, 'after'>): void {
    for (const observe of this.#attemptObservers) observe({ ...attempt, after: this.#count });
  }
}
