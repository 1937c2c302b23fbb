import { describe, expect, it } from 'vitest';
import { OperationPace } from './operation-pace.ts';

/** Others are served, then one operation is refused so often, each time when its turn has come. */
function refuse(pace: OperationPace, times: number): { now: number; own: boolean[] } {
  for (let served = 0; served < 30; served += 1) pace.served(`other ${served % 5}`);
  let now = 1_000;
  const own = Array.from({ length: times }, () => {
    now += pace.turn('a', now);
    return pace.refused('a', now, now);
  });
  return { now, own };
}

describe('an operation that is refused while others are served', () => {
  it('is paced by itself from the third refusal on', () => {
    const pace = new OperationPace();
    const { now, own } = refuse(pace, 4);
    expect(own).toEqual([false, false, true, true]);
    expect(pace.turn('a', now)).toBe(100);
    expect(pace.turn('other 1', now)).toBe(0);
  });

  it('has its calls in turn, and more of them once one is served', () => {
    const pace = new OperationPace();
    const now = refuse(pace, 6).now + 2_000;
    expect([pace.turn('a', now), pace.turn('a', now)]).toEqual([0, 400]);
    pace.served('a');
    expect([pace.turn('a', now + 400), pace.turn('a', now + 400)]).toEqual([0, 40]);
  });

  it('is given up after ten seconds of waiting, until it is served', () => {
    const pace = new OperationPace();
    const { now } = refuse(pace, 16);
    expect(now).toBeGreaterThan(9_000);
    expect([pace.isInVain('a'), pace.isInVain('b')]).toEqual([true, false]);
    pace.served('a');
    expect(pace.isInVain('a')).toBe(false);
  });
});

it('blames no operation alone where others are refused as well', () => {
  const pace = new OperationPace();
  refuse(pace, 0);
  for (let call = 0; call < 20; call += 1) pace.refused(`other ${call % 5}`, call, call);
  expect([1, 2, 3, 4].map((at) => pace.refused('a', at, at))).toEqual([false, false, false, false]);
});
