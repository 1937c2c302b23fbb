/** Requests for set-up and retries that no case has announced. */
const roomForOthers = 40;
const cleanupReserve = 40;

/** Requests per announced request: set-up is not known in advance. */
export const withSetUp: number = 1.06;

/**
 * Requests that are kept per announced request before a wrong response may take any: set-up, repetitions after a 429 and
 * retries of later cases must find room, whatever the first finding costs.
 */
const withFollowUps = 1.5;

/** The number of requests of a run, and how many of them cases have yet to send. */
export class RequestBudget {
  readonly maxRequests: number;
  readonly #left = new Map<string, number>();
  readonly #begun = new Set<string>();
  #sent = 0;
  #reserved = 0;
  /** Reserved requests that cases have sent, and those that they have not needed. */
  #used = 0;
  #released = 0;

  constructor(maxRequests: number) {
    this.maxRequests = maxRequests;
  }

  get sent(): number {
    return this.#sent;
  }

  get remaining(): number {
    return Math.max(0, this.maxRequests - this.#forCleanup - this.#sent);
  }

  get reserved(): number {
    return this.#reserved;
  }

  /** Requests that cases are likely to send yet, if they need as great a part of what is reserved as the others did. */
  get likely(): number {
    const share = this.#used === 0 ? 1 : this.#used / (this.#used + this.#released);
    return Math.min(this.remaining, Math.ceil(this.#reserved * share));
  }

  /** Requests that wrong responses may take now. */
  get followUpRoom(): number {
    return Math.max(0, this.remaining - Math.ceil(this.#reserved * withFollowUps) - roomForOthers);
  }

  get #forCleanup(): number {
    return Math.min(cleanupReserve, Math.floor(this.maxRequests / 2));
  }

  /** Takes one request; false where none is left. */
  take(isCleanup = false): boolean {
    if (this.#sent >= this.maxRequests - (isCleanup ? 0 : this.#forCleanup)) return false;
    this.#sent += 1;
    return true;
  }

  giveBack(): void {
    this.#sent -= 1;
  }

  /** Reserves the maximum number of requests of a case. */
  expect(id: string, requests: number): void {
    this.#reserved += requests - (this.#left.get(id) ?? 0);
    if (requests === 0) this.#left.delete(id);
    else this.#left.set(id, requests);
  }

  /**
   * Whether the case may begin: its requests fit into what remains besides those of the cases under way. A few complete
   * cases are better than many incomplete ones.
   */
  begin(id: string): boolean {
    if (this.#begun.has(id)) return true;
    const committed = [...this.#begun].reduce((sum, other) => sum + (this.#left.get(other) ?? 0), 0);
    if ((committed + (this.#left.get(id) ?? 0)) * withSetUp > this.remaining) return false;
    this.#begun.add(id);
    return true;
  }

  /** Notes that a case sends one of the requests that are reserved for it. */
  uses(id: string): void {
    this.#used += 1;
    this.expect(id, Math.max(0, (this.#left.get(id) ?? 0) - 1));
  }

  done(id: string): void {
    this.#begun.delete(id);
    this.#released += this.#left.get(id) ?? 0;
    this.expect(id, 0);
  }
}
