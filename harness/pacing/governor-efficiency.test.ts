import { describe, expect, it } from 'vitest';
import { seededRandom } from '../seeded-random.ts';
import { Governor } from './governor.ts';
import {
  fixedWindow,
  type Limiter,
  slidingWindow,
  tokenBucket,
  VirtualTime,
} from './limited-target-for-tests.ts';

interface Pacing {
  /** Share of what the limit allows that was used. */
  readonly used: number;
  /** Share of the requests that were answered 429. */
  readonly refused: number;
}

/** Sends until so many requests are served, as the cases of a run do: each that is throttled is sent again. */
async function pace(limiter: Limiter, perSecond: number, latencyMs: number, seed: number): Promise<Pacing> {
  const time = new VirtualTime();
  const governor = new Governor({
    concurrency: 16,
    rate: undefined,
    maxRequests: 100_000,
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
  const wanted = 1_500;
  let [begun, served, refused] = [0, 0, 0];
  const work = async (): Promise<void> => {
    while (begun < wanted) {
      begun += 1;
      while (!(await governor.run(send, (passes) => (passes ? 'served' : 'throttled')))) refused += 1;
      served += 1;
    }
  };
  await time.run(Promise.all(Array.from({ length: 32 }, work)));
  return { used: served / (time.now / 1000) / perSecond, refused: refused / (served + refused) };
}

const limits: Readonly<Record<string, () => Limiter>> = {
  'a bucket of 40 tokens': () => tokenBucket(40, 40),
  'a bucket of 10 tokens': () => tokenBucket(40, 10),
  '40 in each second': () => fixedWindow(40, 1_000),
  '400 in each ten seconds': () => fixedWindow(400, 10_000),
  '40 in any second': () => slidingWindow(40, 1_000),
  '40 in any second, refused ones counted': () => slidingWindow(40, 1_000, true),
};

describe.each(Object.entries(limits))('a limit of 40 per second as %s', (_kind, limit) => {
  it.each([1, 20, 100])(
    'is used to four fifths, with less than one request in ten refused, at %i ms',
    async (ms) => {
      for (const seed of [1, 2, 3]) {
        const { used, refused } = await pace(limit(), 40, ms, seed);
        expect(used).toBeGreaterThan(0.8);
        expect(refused).toBeLessThan(0.1);
      }
    },
  );
});

it('a limit that bears no two requests within 25 ms is used to more than a half', async () => {
  // What travels takes longer or shorter by more than that: neither more use nor fewer refusals can be had.
  const { used, refused } = await pace(tokenBucket(40, 1), 40, 20, 1);
  expect(used).toBeGreaterThan(0.5);
  expect(refused).toBeLessThan(0.1);
});

it.each([2, 500])('a limit of %i per second is used to four fifths as well', async (perSecond) => {
  const { used, refused } = await pace(tokenBucket(perSecond, perSecond), perSecond, 20, 1);
  expect(used).toBeGreaterThan(0.8);
  expect(refused).toBeLessThan(0.1);
});
