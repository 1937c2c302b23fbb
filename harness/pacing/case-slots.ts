/** Cases under way at once; the rate limiter bounds the requests. */
export const casesAtOnce = 32;

/** Lets so many cases run at once. A case that only waits makes room for another meanwhile. */
export class CaseSlots {
  readonly #waiting: Array<() => void> = [];
  #free: number;

  constructor(slots: number = casesAtOnce) {
    this.#free = slots;
  }

  /** Runs a case as soon as there is room. */
  async run<T>(act: () => Promise<T>): Promise<T> {
    if (this.#free === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#free -= 1;
    try {
      return await act();
    } finally {
      this.#leave();
    }
  }

  /** Waits on behalf of a case under way. It goes on at once, as what it waited for may not last. */
  async wait<T>(waiting: () => Promise<T>): Promise<T> {
    this.#leave();
    try {
      return await waiting();
    } finally {
      this.#free -= 1;
    }
  }

  #leave(): void {
    this.#free += 1;
    if (this.#free <= 0) return;
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#free -= 1;
    next();
  }
}
