/** Time that passes only while everybody waits: a run of minutes takes milliseconds, and the same ones each time. */
export class VirtualTime {
  now = 0;
  readonly #sleepers: Array<{ readonly until: number; readonly wake: () => void }> = [];

  sleep(ms: number): Promise<void> {
    return new Promise((wake) => this.#sleepers.push({ until: this.now + ms, wake }));
  }

  /** Runs until the work is done. */
  async run(work: Promise<unknown>): Promise<void> {
    let isDone = false;
    void work.then(
      () => {
        isDone = true;
      },
      () => {
        isDone = true;
      },
    );
    for (;;) {
      // Lets everything that is not asleep come to rest.
      await new Promise((resolve) => setImmediate(resolve));
      if (isDone) break;
      this.#sleepers.sort((a, b) => a.until - b.until);
      const next = this.#sleepers.shift();
      if (next === undefined) throw new Error('everybody waits, and nobody for the time');
      this.now = Math.max(this.now, next.until);
      next.wake();
    }
    await work;
  }
}
