import type { RateLimiter } from './rate-limiter.ts';

/** Requests for set-up and second tries that no case has announced. */
const roomForOthers = 50;

/** What cases send for each request that they announce: what they need first is not known beforehand. */
const withSetUp = 1.15;

/** Requests of the budget that nothing is known to need. */
export function spareRequests({
  rateLimiter,
  reservations,
}: {
  readonly rateLimiter: RateLimiter;
  readonly reservations: BudgetReservations;
}): number {
  return Math.max(0, rateLimiter.remaining - Math.ceil(reservations.total * withSetUp) - roomForOthers);
}

/** Requests that cases have still to send: what is good to know must leave them room in the budget. */
export class BudgetReservations {
  readonly #left = new Map<string, number>();
  readonly #begun = new Set<string>();
  #total = 0;

  /** Requests that are still to come. */
  get total(): number {
    return this.#total;
  }

  /** A case is going to send so many at the most. */
  expect(id: string, requests: number): void {
    this.#set(id, requests);
  }

  /**
   * Whether the case may begin: what it is going to send fits into what remains besides what those under way
   * have still to send. Some cases decided are better than all of them half done.
   */
  begin(id: string, remaining: number): boolean {
    if (this.#begun.has(id)) return true;
    const committed = [...this.#begun].reduce((sum, other) => sum + (this.#left.get(other) ?? 0), 0);
    if ((committed + (this.#left.get(id) ?? 0)) * withSetUp > remaining) return false;
    this.#begun.add(id);
    return true;
  }

  /** It is going to send so many more. */
  expectMore(id: string, requests: number): void {
    this.#set(id, (this.#left.get(id) ?? 0) + requests);
  }

  /** It sent one of them. */
  sent(id: string): void {
    this.#set(id, Math.max(0, (this.#left.get(id) ?? 0) - 1));
  }

  /** It sends no more, or is not made at all. */
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
