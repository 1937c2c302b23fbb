import { describe, expect, it } from 'vitest';
import { seededRandom } from '../seeded-random.ts';
import { limitsOf40, paceLimit, paceOwnLimit, slidingWindow, tokenBucket } from './limits-for-tests.ts';
import { throttledTries } from './overload.ts';
import { Pace } from './pace.ts';

const run = { perSecond: 40, latencyMs: 20 };

function atRandom(share: number, seed: number): () => boolean {
  const random = seededRandom(seed, 'refusals');
  return () => random() >= share;
}

function everyNth(nth: number): () => boolean {
  let requests = 0;
  return () => {
    requests += 1;
    return requests % nth !== 0;
  };
}

describe('refusals that do not depend on the pace', () => {
  // 1,500 requests without refusals take two seconds. A pace that each refusal reduces makes that minutes.
  it.each([0.02, 0.05, 0.1])('cost their own pauses, at a share of %d', async (share) => {
    for (const seed of [1, 2, 3]) {
      const { seconds } = await paceLimit(atRandom(share, seed), { ...run, seed });
      expect(seconds).toBeLessThan(30);
    }
  });

  // As where half of the instances are gone: an hour at the pace that refusals alone lead to.
  it.each([0.3, 0.5, 0.7])('end no run, at a share of %d', async (share) => {
    for (const seed of [1, 2, 3]) {
      const { seconds } = await paceLimit(atRandom(share, seed), { ...run, seed });
      expect(seconds).toBeLessThan(300);
    }
  });

  it.each([12, 40])('may come at every %ith request', async (nth) => {
    for (const seed of [1, 2, 3]) {
      const { seconds } = await paceLimit(everyNth(nth), { ...run, seed });
      expect(seconds).toBeLessThan(30);
    }
  });

  it('do not hide a rate limit behind them', async () => {
    const [bucket, random] = [tokenBucket(40, 40), atRandom(0.05, 1)];
    const { refused } = await paceLimit((now) => random() && bucket(now), { ...run, seed: 1 });
    expect(refused).toBeLessThan(0.15);
  });
});

it.each(Object.entries(limitsOf40))('a rate limit is kept to: %s', async (_kind, limit) => {
  for (const seed of [1, 2]) {
    const { used, refused } = await paceLimit(limit(), { ...run, seed });
    expect(used).toBeGreaterThan(0.8);
    expect(refused).toBeLessThan(0.06);
  }
});

it('a short outage, such as a reload, reduces the pace once, and a longer one again', () => {
  const pace = new Pace(8_000, () => 0);
  pace.refused(1_000, 1_000);
  const once = pace.rate ?? 0;
  for (const now of [1_060, 1_130, 1_240]) pace.refused(now, now);
  expect(pace.rate).toBe(once);
  pace.refused(1_300, 1_300);
  expect(pace.rate).toBeLessThan(once);
});

describe('a trial of a faster pace', () => {
  /** A pace after four reductions in a second, each after twenty served requests, and the next refusal. */
  function tried(): { pace: Pace; now: number } {
    const pace = new Pace(8_000, () => 0);
    let now = 1_000;
    for (let refusal = 0; refusal < 5; refusal += 1) {
      for (let served = 0; served < 19; served += 1) pace.served(now);
      now += 250;
      pace.refused(now, now);
    }
    return { pace, now };
  }

  it('takes three times the pace that was refused', () => {
    expect(tried().pace.rate).toBeCloseTo(240);
  });

  it('ends with refusals that are far more frequent, at the pace before it', () => {
    const { pace, now } = tried();
    const before = pace.rate ?? 0;
    for (let refusal = 0; refusal < 12; refusal += 1) pace.refused(now + 1, now + 1);
    expect(pace.rate).toBeLessThan(before / 3);
  });

  it('goes on with as many refusals as before', () => {
    const { pace, now } = tried();
    for (let refusal = 0; refusal < 100; refusal += 1) {
      for (let served = 0; served < 19; served += 1) pace.served(now + 1);
      expect(pace.refused(now + 1, now + 1)).toBe(false);
    }
  });

  it('is not made where nothing is served between refusals', () => {
    const pace = new Pace(8_000, () => 0);
    for (let refusal = 0; refusal < 50; refusal += 1) pace.refused(refusal * 100, refusal * 100);
    expect(pace.rate).toBeLessThan(1);
  });
});

it.each([1, 2])(
  'a limit of one kind of call is kept to beside others, once it was found: seed %i',
  async (seed) => {
    const { worst, refused, seconds } = await paceOwnLimit(slidingWindow(8, 1_000, true), {
      latencyMs: 2,
      seed,
    });
    expect(worst).toBeLessThan(throttledTries);
    expect(refused).toBeLessThan(80);
    // 480 calls at 8 a second.
    expect(seconds).toBeLessThan(80);
  },
);
