/** Whether a rate limit lets a request through that arrives at `now` milliseconds. */
export type Limiter = (now: number) => boolean;

/** A bucket that holds `burst` tokens and gains `perSecond`. */
export function tokenBucket(perSecond: number, burst: number): Limiter {
  let tokens = burst;
  let last = 0;
  return (now) => {
    tokens = Math.min(burst, tokens + ((now - last) * perSecond) / 1000);
    last = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

/** At most `most` requests in each window that begins at a multiple of `windowMs`. */
export function fixedWindow(most: number, windowMs: number): Limiter {
  let window = -1;
  let taken = 0;
  return (now) => {
    const current = Math.floor(now / windowMs);
    if (current !== window) [window, taken] = [current, 0];
    taken += 1;
    return taken <= most;
  };
}

/** At most `most` requests in any `windowMs`; refused ones count too where the limit is strict. */
export function slidingWindow(most: number, windowMs: number, strict = false): Limiter {
  const taken: number[] = [];
  return (now) => {
    while ((taken[0] ?? now) <= now - windowMs) taken.shift();
    const passes = taken.length < most;
    if (passes || strict) taken.push(now);
    return passes;
  };
}

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
