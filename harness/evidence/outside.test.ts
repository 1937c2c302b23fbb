import { expect, it } from 'vitest';
import { exampleExchange } from '../checks/example-exchange.ts';
import type { Exchange } from '../model/exchange.ts';
import { defaultOptions } from '../target/default-options.ts';
import { type Outside, OutsideReasons, reasonOf } from './outside.ts';

/** Whether a run that sent so many of 100 requests, these among them, bears out a reason. */
function bearsOut(outside: Outside | undefined, count: number, exchanges: readonly Exchange[] = []): boolean {
  const reasons = new OutsideReasons({
    run: { options: { ...defaultOptions, maxRequests: 100 } },
    count,
  } as never);
  for (const one of exchanges) reasons.note(one);
  return reasons.bearOut(outside && { reason: reasonOf(outside), transient: false, outside });
}

const throttled = exampleExchange({ status: 429 });

it('takes the budget for spent where most of it was sent', () => {
  expect(bearsOut({ kind: 'budget' }, 80)).toBe(true);
  expect(bearsOut({ kind: 'budget' }, 20)).toBe(false);
});

it('takes the target for throttling where a call was answered 429', () => {
  expect(bearsOut({ kind: 'throttling', seconds: 45 }, 20, [throttled])).toBe(true);
  expect(bearsOut({ kind: 'throttling', seconds: 45 }, 80)).toBe(false);
});

it('takes an operation for late where a call of it was', () => {
  const late = { ...throttled, operation: 'a', failure: { kind: 'timeout', message: '' } } as Exchange;
  expect(bearsOut({ kind: 'time-out', operation: 'a' }, 20, [late])).toBe(true);
  expect(bearsOut({ kind: 'time-out', operation: 'b' }, 20, [late])).toBe(false);
});

it('takes any of them where none is told, and no other words for them', () => {
  expect(bearsOut(undefined, 20, [throttled])).toBe(true);
  expect(bearsOut(undefined, 20)).toBe(false);
  const reasons = new OutsideReasons({
    run: { options: { ...defaultOptions, maxRequests: 1 } },
    count: 1,
  } as never);
  const reason = 'it was time for lunch';
  expect(reasons.bearOut({ reason, transient: false, outside: { kind: 'budget' } })).toBe(false);
  expect(reasons.bearOut({ reason: reasonOf({ kind: 'budget' }), transient: false })).toBe(false);
});
