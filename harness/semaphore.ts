/** Lets so many acts run at once. One that only waits makes room for another meanwhile. */
export class Semaphore {
  readonly #waiting: Array<() => void> = [];
  #free: number;

  constructor(places: number) {
    this.#free = places;
  }

  /** Acts as soon as there is room. */
  async run<T>(act: () => Promise<T>): Promise<T> {
    await this.#enter();
    try {
      return await act();
    } finally {
      this.#leave();
    }
  }

  /** Waits on behalf of an act under way. It goes on at once, as what it waited for may not last. */
  async wait<T>(waiting: () => Promise<T>): Promise<T> {
    this.#leave();
    try {
      return await waiting();
    } finally {
      this.#free -= 1;
    }
  }

  /** Waits on behalf of an act under way, which then goes on as soon as there is room again. */
  async giveWay<T>(waiting: () => Promise<T>): Promise<T> {
    this.#leave();
    try {
      return await waiting();
    } finally {
      await this.#enter();
    }
  }

  async #enter(): Promise<void> {
    if (this.#free <= 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#free -= 1;
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
