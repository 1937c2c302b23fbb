import { seededRandom } from '../seeded-random.ts';
import { RateLimiter } from './rate-limiter.ts';

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
function fixedWindow(most: number, windowMs: number): Limiter {
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

/** Ways in which services limit a client to 40 requests per second. */
export const limitsOf40: Readonly<Record<string, () => Limiter>> = {
  'a bucket of 40 tokens': () => tokenBucket(40, 40),
  'a bucket of 10 tokens': () => tokenBucket(40, 10),
  '40 in each second': () => fixedWindow(40, 1_000),
  '400 in each ten seconds': () => fixedWindow(400, 10_000),
  '40 in any second': () => slidingWindow(40, 1_000),
  '40 in any second, refused ones counted': () => slidingWindow(40, 1_000, true),
};

/** What a client that paces itself makes of a limit. */
export interface Pacing {
  /** Share of what the limit allows that was used. */
  readonly used: number;
  /** Share of the requests that were answered 429. */
  readonly refused: number;
  readonly seconds: number;
}

/** Requests that are to be served. */
const wanted = 1_500;
/** Cases that send at the same time. */
const cases = 32;

/** Sends through the rate limiter in virtual time, as the cases of a run do: each throttled request is sent again. */
export async function paceLimit(
  limiter: Limiter,
  { perSecond, latencyMs, seed }: { perSecond: number; latencyMs: number; seed: number },
): Promise<Pacing> {
  const time = new VirtualTime();
  const rateLimiter = new RateLimiter({
    concurrency: 16,
    rate: undefined,
    random: seededRandom(seed, 'jitter'),
    now: () => time.now,
    sleep: (ms) => time.sleep(ms),
  });
  const latency = seededRandom(seed, 'latency');
  const halfway = (): Promise<void> => time.sleep(latencyMs * (0.25 + latency() * 0.5));
  const send = async (): Promise<boolean> => {
    await halfway();
    const passes = limiter(time.now);
    await halfway();
    return passes;
  };
  let [begun, served, refused] = [0, 0, 0];
  const work = async (): Promise<void> => {
    while (begun < wanted) {
      begun += 1;
      while (!(await rateLimiter.run(send, (passes) => (passes ? 'served' : 'throttled')))) refused += 1;
      served += 1;
    }
  };
  await time.run(Promise.all(Array.from({ length: cases }, work)));
  const seconds = time.now / 1000;
  return { used: served / seconds / perSecond, refused: refused / (served + refused), seconds };
}

/** Sends calls of a limited kind, ten at once now and then, among others that nothing limits; counts tries for the worst of them. */
export async function paceOwnLimit(
  limiter: Limiter,
  { latencyMs, seed }: { latencyMs: number; seed: number },
): Promise<{ readonly worst: number; readonly refused: number; readonly seconds: number }> {
  const time = new VirtualTime();
  const rateLimiter = new RateLimiter({
    concurrency: 8,
    rate: undefined,
    random: seededRandom(seed, 'jitter'),
    now: () => time.now,
    sleep: (ms) => time.sleep(ms),
  });
  let [worst, refused] = [0, 0];
  const call = async (operation: string): Promise<void> => {
    const send = async (): Promise<boolean> => {
      await time.sleep(latencyMs / 2);
      const passes = operation !== 'limited' || limiter(time.now);
      await time.sleep(latencyMs / 2);
      return passes;
    };
    for (let tries = 1; ; tries += 1) {
      worst = Math.max(worst, tries);
      if (await rateLimiter.run(send, (passes) => (passes ? 'served' : 'throttled'), operation)) return;
      refused += 1;
    }
  };
  const work = async (nth: number): Promise<void> => {
    for (let at = 0; at < 40; at += 1) await call(`operation ${(at + nth) % 25}`);
    for (let round = 0; round < 3; round += 1) {
      for (let at = 0; at < 6; at += 1) await call('limited');
      await Promise.all(Array.from({ length: 10 }, () => call('limited')));
      for (let at = 0; at < 10; at += 1) await call(`operation ${at}`);
    }
  };
  await time.run(Promise.all(Array.from({ length: 10 }, (_, nth) => work(nth))));
  return { worst, refused, seconds: time.now / 1000 };
}

/** Time that passes only while everything waits: minutes take milliseconds, and every run is the same. */
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
      // Everything that is not asleep comes to rest first.
      await new Promise((resolve) => setImmediate(resolve));
      if (isDone) break;
      this.#sleepers.sort((a, b) => a.until - b.until);
      const next = this.#sleepers.shift();
      if (next === undefined) throw new Error('everything waits, and nothing for the time');
      this.now = Math.max(this.now, next.until);
      next.wake();
    }
    await work;
  }
}
