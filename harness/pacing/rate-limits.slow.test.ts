import { describe, expect, it } from 'vitest';
import { limitsOf40, paceLimit, tokenBucket } from './limits-for-tests.ts';

describe.each(Object.entries(limitsOf40))('a limit of 40 per second as %s', (_kind, limit) => {
  it.each([1, 20, 100])(
    'is used to three quarters, with less than one request in eight refused, at %i ms',
    async (latencyMs) => {
      for (const seed of [1, 2, 3]) {
        const { used, refused } = await paceLimit(limit(), { perSecond: 40, latencyMs, seed });
        expect(used).toBeGreaterThan(0.75);
        expect(refused).toBeLessThan(0.125);
      }
    },
  );
});

it('a limit that bears no two requests within 25 ms is used to more than a half', async () => {
  // What travels takes longer or shorter by more than that: neither more use nor fewer refusals can be had.
  const { used, refused } = await paceLimit(tokenBucket(40, 1), { perSecond: 40, latencyMs: 20, seed: 1 });
  expect(used).toBeGreaterThan(0.5);
  expect(refused).toBeLessThan(0.1);
});

it.each([2, 500])('a limit of %i per second is used to four fifths as well', async (perSecond) => {
  const limit = tokenBucket(perSecond, perSecond);
  const { used, refused } = await paceLimit(limit, { perSecond, latencyMs: 20, seed: 1 });
  expect(used).toBeGreaterThan(0.8);
  expect(refused).toBeLessThan(0.1);
});
