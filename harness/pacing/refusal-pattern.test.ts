import { describe, expect, it } from 'vitest';
import { seededRandom } from '../seeded-random.ts';
import { limitsOf40, paceLimit, tokenBucket } from './limits-for-tests.ts';
import { RefusalPattern } from './refusal-pattern.ts';

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

describe('a trial of a faster pace', () => {
  /** A pattern after four refusals among eighty requests in a second, when the fifth comes. */
  function tried(): { pattern: RefusalPattern; pace: number | undefined } {
    const pattern = new RefusalPattern();
    let pace: number | undefined;
    for (let refusal = 0; refusal < 5; refusal += 1) {
      for (let served = 0; served < 19; served += 1) pattern.served('a');
      pattern.refused('a');
      pace = pattern.backsOff(refusal * 250, true);
    }
    return { pattern, pace };
  }

  it('takes three times the pace that was refused', () => {
    expect(tried().pace).toBeCloseTo(240);
  });

  it('ends with refusals that are far more frequent', () => {
    const { pattern } = tried();
    for (let refusal = 0; refusal < 6; refusal += 1) {
      expect(pattern.isSporadic).toBe(true);
      pattern.refused(`operation ${refusal}`);
      pattern.refused(`other ${refusal}`);
      if (refusal === 2) break;
      pattern.served('b');
    }
    pattern.refused('c');
    expect(pattern.isSporadic).toBe(false);
  });

  it.each([
    [5, false],
    [20, true],
  ])('is over with six refusals of one operation in a row, each after %i served calls', (count, isProven) => {
    const { pattern } = tried();
    const excess: boolean[] = [];
    for (let refusal = 0; refusal < 6; refusal += 1) {
      for (let served = 0; served < count; served += 1) pattern.served('b');
      excess.push(pattern.refused('a').isExcess);
    }
    expect(excess).toEqual([false, false, false, false, false, true]);
    // Refusals that a faster pace did not add to remain a matter of chance, beside the limit.
    expect([pattern.isSporadic, pattern.isLimited]).toEqual([isProven, isProven]);
  });

  it('goes on with as many refusals as before', () => {
    const { pattern } = tried();
    for (let refusal = 0; refusal < 100; refusal += 1) {
      for (let served = 0; served < 19; served += 1) pattern.served('b');
      pattern.refused(`operation ${refusal % 25}`);
    }
    expect(pattern.isSporadic).toBe(true);
  });

  it('is not made where nothing is served between refusals', () => {
    const pattern = new RefusalPattern();
    for (let refusal = 0; refusal < 50; refusal += 1) {
      pattern.refused('a');
      expect(pattern.backsOff(refusal * 100, false)).toBeUndefined();
    }
  });
});
