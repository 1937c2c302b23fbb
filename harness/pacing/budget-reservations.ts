import type { RateLimiter } from './rate-limiter.ts';

/** Requests for set-up and retries that no case has announced. */
const roomForOthers = 40;

/** Requests per announced request: set-up is not known in advance. */
export const withSetUp: number = 1.06;

/**
 * Requests that are kept per announced request before a wrong response may take any: set-up, repetitions after a 429 and
 * retries of later cases must find room, whatever the first finding costs.
 */
const withFollowUps = 1.5;

/** Requests that wrong responses may take now. */
export function followUpRoom({
  rateLimiter,
  reservations,
}: {
  readonly rateLimiter: RateLimiter;
  readonly reservations: BudgetReservations;
}): number {
  return Math.max(0, rateLimiter.remaining - Math.ceil(reservations.total * withFollowUps) - roomForOthers);
}

/** Requests that cases have yet to send, for which optional requests must leave room. */
export class BudgetReservations {
  readonly #left = new Map<string, number>();
  readonly #begun = new Set<string>();
  #total = 0;

  /** Requests still to come. */
  get total(): number {
    return this.#total;
  }

  /** Reserves the maximum number of requests of a case. */
  expect(id: string, requests: number): void {
    this.#set(id, requests);
  }

  /**
   * Whether the case may begin: its requests fit into what remains besides those of the cases under way. A few complete
   * cases are better than many incomplete ones.
   */
  begin(id: string, remaining: number): boolean {
    if (this.#begun.has(id)) return true;
    const committed = [...this.#begun].reduce((sum, other) => sum + (this.#left.get(other) ?? 0), 0);
    if ((committed + (this.#left.get(id) ?? 0)) * withSetUp > remaining) return false;
    this.#begun.add(id);
    return true;
  }

  /** Notes that a case sent one request. */
  sent(id: string): void {
    this.#set(id, Math.max(0, (this.#left.get(id) ?? 0) - 1));
  }

  /** Releases what is reserved for a case. */
  done(id: string): void {
    this.#begun.delete(id);
    this.#set(id, 0);
  }

  #set(id: string, requests: number): void {
    this.#total += requests - (this.#left.get(id) ?? 0);
    if (requests === 0) this.#left.delete(id);
    else this.#left.set(id, requests);
  }
}
