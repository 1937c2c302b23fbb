import { describe, expect, it } from 'vitest';
import { loadContract, type Operation } from '../../spec/contract.ts';
import { ids } from '../../spec/operation-ids-for-tests.ts';
import { OverloadMonitor, type PacedResponse } from './overload-monitor.ts';

const contract = await loadContract();
const read = contract.operation(ids.bootstrap);
const write = contract.operation(ids.create);

const served: PacedResponse = {
  meaning: 'own',
  status: 200,
  mayLackScope: false,
  isUnusual: false,
  isKept: false,
};
const throttled: PacedResponse = { ...served, meaning: 'throttled', status: 429 };
const unavailable: PacedResponse = { ...served, meaning: 'overloaded', status: 503 };
const page: PacedResponse = { ...served, meaning: 'page under 403', status: 403, isUnusual: true };

/** A monitor of a target that has served some operations. */
function serving(...operations: readonly string[]): OverloadMonitor {
  const monitor = new OverloadMonitor();
  for (const operation of operations) monitor.note(operation, served);
  return monitor;
}

const mayPass = (monitor: OverloadMonitor, response: PacedResponse, operation: Operation = read): boolean =>
  monitor.mayPass(operation, response, 1, false);

it('no longer paces the run for an operation that is throttled whatever the pace, until it serves again', () => {
  const monitor = new OverloadMonitor();
  for (const isLast of [false, false, true]) {
    expect(monitor.paceSignal('a', throttled)).toBe('throttled');
    expect(monitor.throttledThroughout('a')).toBe(isLast);
  }
  expect(monitor.paceSignal('a', throttled)).toBe('served');
  expect(monitor.paceSignal('b', throttled)).toBe('throttled');
  monitor.note('a', served);
  expect(monitor.paceSignal('a', throttled)).toBe('throttled');
});

describe('a page under 403', () => {
  it('is a refusal by a firewall where the request is unusual, and the limit of a limiter where it is not', () => {
    const monitor = serving('a', 'b');
    expect(monitor.paceSignal('a', page)).toBe('blocked');
    expect(monitor.paceSignal('a', { ...page, isUnusual: false })).toBe('unavailable');
    expect(monitor.paceSignal('a', { ...page, isUnusual: false, mayLackScope: true })).toBe('served');
    expect(monitor.paceSignal('a', { ...page, meaning: 'own' })).toBe('served');
  });

  it('is repeated to unusual requests until repetition is in vain', () => {
    const monitor = serving(read.id);
    expect(mayPass(monitor, page)).toBe(true);
    expect(mayPass(monitor, { ...page, mayLackScope: true })).toBe(false);
    for (let call = 0; call < 3; call += 1) monitor.ended('b', page, 0, false);
    expect(mayPass(monitor, page)).toBe(false);
  });

  it('is of a limiter for unusual requests as well, once one has passed, until repetition is in vain', () => {
    const monitor = serving('a');
    monitor.ended('a', served, 1, false);
    expect(monitor.paceSignal('a', page)).toBe('overloaded');
    expect(monitor.paceSignal('a', { ...page, mayLackScope: true })).toBe('overloaded');
    for (let call = 0; call < 3; call += 1) monitor.ended('b', page, 0, false);
    expect(monitor.paceSignal('a', page)).toBe('blocked');
    monitor.ended('a', page, 1, false);
    expect(monitor.paceSignal('a', page)).toBe('blocked');
    monitor.ended('a', { ...served, isUnusual: true }, 1, false);
    expect(monitor.paceSignal('a', page)).toBe('overloaded');
  });
});

describe('a 502 on a kept connection', () => {
  const bad: PacedResponse = { ...unavailable, status: 502, isKept: true };

  it('says nothing about the pace while a fresh connection helps', () => {
    const monitor = serving('a', 'b');
    monitor.ended('a', served, 1, false);
    expect(monitor.paceSignal('a', bad)).toBe('unanswered');
    expect(monitor.refusals).toEqual({});
    expect(monitor.paceSignal('a', { ...bad, isKept: false })).toBe('overloaded');
    expect(monitor.paceSignal('a', { ...bad, status: 509 })).toBe('overloaded');
    expect(monitor.refusals).toEqual({ 502: 1, 509: 1 });
  });

  it('is overload where only a pause helps', () => {
    const monitor = new OverloadMonitor();
    monitor.ended('a', served, 2, true);
    expect(monitor.mayBeOfConnection(bad)).toBe(false);
    for (let call = 0; call < 20; call += 1) monitor.ended('a', served, 1, true);
    expect(monitor.mayBeOfConnection(bad)).toBe(true);
  });
});

describe('a 503', () => {
  it('may be overload of a target that serves other calls, at calls that change nothing', () => {
    const monitor = new OverloadMonitor();
    monitor.note(read.id, unavailable);
    expect(mayPass(monitor, unavailable)).toBe(false);
    monitor.note('b', served);
    expect([read, write].map((operation) => mayPass(monitor, unavailable, operation))).toEqual([true, false]);
    expect(mayPass(monitor, served)).toBe(false);
  });

  it.each([
    ['stays one for as long as repeated calls are served', true],
    ['is none where it keeps coming', false],
  ])('%s', (_what, passes) => {
    const monitor = serving(read.id, write.id);
    for (let count = 0; count < 40; count += 1) {
      for (const operation of [read, write]) monitor.note(operation.id, unavailable);
      if (passes) monitor.ended(read.id, served, 2, false);
    }
    expect(mayPass(monitor, unavailable)).toBe(passes);
    expect(monitor.mayPass(read, unavailable, 3, false)).toBe(passes);
    expect(monitor.paceSignal(read.id, throttled)).toBe('throttled');
  });

  it('is none of an operation that no repetition helps, while others are served', () => {
    const monitor = serving('b');
    for (let call = 0; call < 4; call += 1) {
      expect(monitor.paceSignal('a', unavailable)).toBe('unavailable');
      monitor.ended('a', unavailable, 2, false);
    }
    expect(monitor.paceSignal('a', unavailable)).toBe('served');
    expect(monitor.paceSignal('b', unavailable)).toBe('unavailable');
    monitor.ended('a', served, 1, false);
    expect(monitor.paceSignal('a', unavailable)).toBe('overloaded');
  });
});
