import { expect, it } from 'vitest';
import { RunPace } from './run-pace.ts';

it('estimates from the present pace and the requests that are left', () => {
  const pace = new RunPace();
  for (let second = 0; second <= 20; second += 1)
    pace.note({ at: second * 1000, served: second * 50, requestsLeft: 2_000 - second * 50 });
  expect(pace.perSecond).toBeCloseTo(50);
  expect(pace.leftMs).toBeCloseTo(20_000);
  for (let second = 21; second <= 40; second += 1)
    pace.note({
      at: second * 1000,
      served: 1_000 + (second - 20) * 2,
      requestsLeft: 1_000 - (second - 20) * 2,
    });
  expect(pace.perSecond).toBeCloseTo(2);
  // The 1,040 requests of the last 40 seconds were 26 per second.
  expect(pace.leftMs).toBeCloseTo((1000 * 960) / 26);
});

it('estimates nothing at first, while nothing is served, and when nothing is left', () => {
  const pace = new RunPace();
  expect(pace.perSecond).toBeUndefined();
  pace.note({ at: 0, served: 0, requestsLeft: 100 });
  pace.note({ at: 500, served: 5, requestsLeft: 95 });
  expect(pace.leftMs).toBeUndefined();
  for (let second = 1; second <= 70; second += 1)
    pace.note({ at: second * 1000, served: 5, requestsLeft: 95 });
  expect([pace.perSecond, pace.leftMs]).toEqual([0, undefined]);
  pace.note({ at: 71_000, served: 100, requestsLeft: 0 });
  expect(pace.leftMs).toBeUndefined();
});
