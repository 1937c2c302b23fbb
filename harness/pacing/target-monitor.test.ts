import { describe, expect, it } from 'vitest';
import { loadContract, type Operation } from '../../spec/contract.ts';
import { ids } from '../../spec/operation-ids-for-tests.ts';
import type { Exchange, FailureKind, Row } from '../model/exchange.ts';
import type { PacedResponse } from './overload.ts';
import type { PaceSignal } from './rate-limiter.ts';
import { TargetMonitor, targetTooSlow } from './target-monitor.ts';

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

interface Outcome {
  readonly failure?: FailureKind | undefined;
  readonly durationMs?: number;
  readonly bytes?: number;
  readonly row?: Row;
}

function exchangeOf(operation: string, outcome: Outcome = {}, role: Exchange['role'] = 'probe'): Exchange {
  const { failure, durationMs = 0, bytes = 0, row = {} } = outcome;
  return {
    operation,
    role,
    row,
    label: failure === undefined ? 'a call' : 'its call',
    durationMs,
    request: { method: 'GET', path: '/x', credential: { kind: 'scoped' } },
    response: { status: 200, body: { bytes } },
    ...(failure === undefined ? {} : { failure: { kind: failure, message: '' } }),
  } as unknown as Exchange;
}

/** What a response says about the pace, without counting as one of a case. */
const signalOf = (monitor: TargetMonitor, operation: string, response: PacedResponse): PaceSignal =>
  monitor.note(exchangeOf(operation, {}, 'preflight'), response);

const alive = (): TargetMonitor => new TargetMonitor(async () => undefined);

/** A monitor of a target that has served some operations. */
function serving(...operations: readonly string[]): TargetMonitor {
  const monitor = alive();
  for (const operation of operations) monitor.note(exchangeOf(operation), served);
  return monitor;
}

const mayPass = (monitor: TargetMonitor, response: PacedResponse, operation: Operation = read): boolean =>
  monitor.overload.mayPass(operation, response, 1, false);

describe('a page under 403', () => {
  it('is a refusal by a firewall where the request is unusual, and the limit of a limiter where it is not', () => {
    const monitor = serving('a', 'b');
    expect(signalOf(monitor, 'a', page)).toBe('blocked');
    expect(signalOf(monitor, 'a', { ...page, isUnusual: false })).toBe('unavailable');
    expect(signalOf(monitor, 'a', { ...page, isUnusual: false, mayLackScope: true })).toBe('served');
    expect(signalOf(monitor, 'a', { ...page, meaning: 'own' })).toBe('served');
  });

  it('is repeated to unusual requests until repetition is in vain', () => {
    const monitor = serving(read.id);
    expect(mayPass(monitor, page)).toBe(true);
    expect(mayPass(monitor, { ...page, mayLackScope: true })).toBe(false);
    for (let call = 0; call < 3; call += 1) monitor.overload.ended('b', page, 0, false);
    expect(mayPass(monitor, page)).toBe(false);
  });

  it('is of a limiter for unusual requests as well, once one has passed, until repetition is in vain', () => {
    const monitor = serving('a');
    monitor.overload.ended('a', served, 1, false);
    expect(signalOf(monitor, 'a', page)).toBe('overloaded');
    expect(signalOf(monitor, 'a', { ...page, mayLackScope: true })).toBe('overloaded');
    for (let call = 0; call < 3; call += 1) monitor.overload.ended('b', page, 0, false);
    expect(signalOf(monitor, 'a', page)).toBe('blocked');
    monitor.overload.ended('a', page, 1, false);
    expect(signalOf(monitor, 'a', page)).toBe('blocked');
    monitor.overload.ended('a', { ...served, isUnusual: true }, 1, false);
    expect(signalOf(monitor, 'a', page)).toBe('overloaded');
  });
});

describe('a 502 on a kept connection', () => {
  const bad: PacedResponse = { ...unavailable, status: 502, isKept: true };

  it('says nothing about the pace while a fresh connection helps', () => {
    const monitor = serving('a', 'b');
    monitor.overload.ended('a', served, 1, false);
    expect(signalOf(monitor, 'a', bad)).toBe('unanswered');
    expect(monitor.overload.refusals).toEqual({});
    expect(signalOf(monitor, 'a', { ...bad, isKept: false })).toBe('overloaded');
    expect(signalOf(monitor, 'a', { ...bad, status: 509 })).toBe('overloaded');
    expect(monitor.overload.refusals).toEqual({ 502: 1, 509: 1 });
  });

  it('is overload where only a pause helps', () => {
    const monitor = alive();
    monitor.overload.ended('a', served, 2, true);
    expect(monitor.overload.mayBeOfConnection(bad)).toBe(false);
    for (let call = 0; call < 20; call += 1) monitor.overload.ended('a', served, 1, true);
    expect(monitor.overload.mayBeOfConnection(bad)).toBe(true);
  });
});

describe('a 503', () => {
  it('may be overload of a target that serves other calls, at calls that change nothing', () => {
    const monitor = alive();
    monitor.note(exchangeOf(read.id), unavailable);
    expect(mayPass(monitor, unavailable)).toBe(false);
    monitor.note(exchangeOf('b'), served);
    expect([read, write].map((operation) => mayPass(monitor, unavailable, operation))).toEqual([true, false]);
    expect(mayPass(monitor, served)).toBe(false);
  });

  it.each([
    ['stays one for as long as repeated calls are served', true],
    ['is none where it keeps coming', false],
  ])('%s', (_what, passes) => {
    const monitor = serving(read.id, write.id);
    for (let count = 0; count < 40; count += 1) {
      for (const operation of [read, write]) monitor.note(exchangeOf(operation.id), unavailable);
      if (passes) monitor.overload.ended(read.id, served, 2, false);
    }
    expect(mayPass(monitor, unavailable)).toBe(passes);
    expect(monitor.overload.mayPass(read, unavailable, 3, false)).toBe(passes);
    expect(signalOf(monitor, read.id, throttled)).toBe('throttled');
  });

  it('is none of an operation that no repetition helps, while others are served', () => {
    const monitor = serving('b');
    for (let call = 0; call < 4; call += 1) {
      expect(signalOf(monitor, 'a', unavailable)).toBe('unavailable');
      monitor.overload.ended('a', unavailable, 2, false);
    }
    expect(signalOf(monitor, 'a', unavailable)).toBe('served');
    expect(signalOf(monitor, 'b', unavailable)).toBe('unavailable');
    monitor.overload.ended('a', served, 1, false);
    expect(signalOf(monitor, 'a', unavailable)).toBe('overloaded');
  });
});

/** Notes so many failures at so many operations in turn. */
async function fail(
  monitor: TargetMonitor,
  times: number,
  kind: 'timeout' | 'reset' = 'reset',
): Promise<void> {
  for (let count = 0; count < times; count += 1) await note(monitor, `operation ${count}`, { failure: kind });
}

/** Time that passes only where somebody sleeps. */
class Clock {
  time = 10_000;
  readonly now = (): number => this.time;
  readonly sleep = async (ms: number): Promise<void> => {
    this.time += ms;
  };
}

async function note(monitor: TargetMonitor, operation: string, outcome: Outcome): Promise<void> {
  const isServed = outcome.failure === undefined;
  monitor.note(exchangeOf(operation, outcome), isServed ? served : { ...served, meaning: 'unanswered' });
  if (!isServed) await monitor.probeFinished();
}

describe('a dead target', () => {
  it('is probed after ten consecutive requests without an answer', async () => {
    let probes = 0;
    const monitor = new TargetMonitor(async () => {
      probes += 1;
      return 'refused';
    }, new Clock());
    await fail(monitor, 9);
    expect([probes, monitor.unreachable]).toEqual([0, undefined]);
    await fail(monitor, 1);
    expect(probes).toBe(5);
    expect(monitor.unreachable).toMatch(
      /^the first request without an answer was operation 0 \(its call\), GET \/x; refused; nor did these get one: operation 1 /,
    );
  });

  it('names the requests that were under way, and not those that came too late', async () => {
    const monitor = new TargetMonitor(async () => 'refused', new Clock());
    const calls = [...Array(6).fill('reset'), ...Array(4).fill('refused')] as const;
    for (const [at, failure] of calls.entries()) await note(monitor, `operation ${at}`, { failure });
    expect(monitor.unreachable).toContain('operation 5 ');
    expect(monitor.unreachable).not.toContain('operation 6 ');
  });

  it('names what it answered last, as that may have brought it down', async () => {
    const monitor = new TargetMonitor(async () => 'refused', new Clock());
    for (let at = 0; at < 9; at += 1) await note(monitor, `operation ${at}`, {});
    await fail(monitor, 10);
    expect(monitor.unreachable).toMatch(/operation 8 \(a call\)$/);
    expect(monitor.unreachable).not.toContain('operation 2 (a call)');
  });

  it('is not suspected while answers come in between', async () => {
    const monitor = new TargetMonitor(() => expect.fail('probed'));
    await fail(monitor, 9);
    await note(monitor, 'operation', {});
    await fail(monitor, 9);
    expect(monitor.unreachable).toBeUndefined();
  });

  it('is probed once for all waiting requests', async () => {
    let probes = 0;
    const monitor = new TargetMonitor(async () => {
      probes += 1;
      return undefined;
    });
    await Promise.all(
      Array.from({ length: 15 }, (_, at) => note(monitor, `operation ${at}`, { failure: 'reset' })),
    );
    expect(probes).toBe(1);
  });

  it('is alive when it answers a probe, until ten more requests get no answer', async () => {
    const answers = [undefined, 'gone', 'gone', 'gone', 'gone', 'gone'];
    const monitor = new TargetMonitor(async () => answers.shift(), new Clock());
    await fail(monitor, 10);
    expect(monitor.unreachable).toBeUndefined();
    await fail(monitor, 10);
    expect(monitor.unreachable).toContain('gone');
  });
});

describe('a target that falls silent', () => {
  it('is probed at the first time-out during which nothing was answered', async () => {
    const clock = new Clock();
    const probes: number[] = [];
    const monitor = new TargetMonitor(async () => {
      probes.push(clock.time);
      return undefined;
    }, clock);
    await note(monitor, 'a', {});
    clock.time += 5_000;
    await note(monitor, 'b', { failure: 'timeout', durationMs: 10_000 });
    expect(probes).toEqual([]);
    clock.time += 5_000;
    await note(monitor, 'b', { failure: 'timeout', durationMs: 10_000 });
    expect(probes).toEqual([clock.time]);
    expect(monitor.stopReason).toBeUndefined();
  });

  it('is given the time of a restart', async () => {
    const clock = new Clock();
    const monitor = new TargetMonitor(async () => (clock.time < 14_000 ? 'refused' : undefined), clock);
    await fail(monitor, 10);
    expect([monitor.unreachable, clock.time]).toEqual([undefined, 16_500]);
  });

  it('is not given more time where the probes take long', async () => {
    const clock = new Clock();
    const monitor = new TargetMonitor(async () => {
      clock.time += 10_000;
      return 'no answer';
    }, clock);
    await fail(monitor, 10);
    expect(clock.time).toBe(20_000);
    expect(monitor.stopReason).toMatch(
      /^the target stopped answering: the first request .*; no answer; nor /,
    );
  });
});

describe('a run', () => {
  it('stops after 32 time-outs, despite answers in between', async () => {
    const monitor = new TargetMonitor(async () => undefined, new Clock());
    for (let count = 0; count < 31; count += 1) {
      await note(monitor, 'a', { failure: 'timeout' });
      await note(monitor, 'b', {});
    }
    expect(monitor.stopReason).toBeUndefined();
    await note(monitor, 'a', { failure: 'timeout' });
    expect([monitor.unreachable, monitor.stopReason]).toEqual([undefined, targetTooSlow]);
  });

  it('stops after standing still for 32 seconds in all', async () => {
    const clock = new Clock();
    const monitor = new TargetMonitor(async () => undefined, clock);
    for (let count = 1; count <= 4; count += 1) {
      expect(monitor.stopReason).toBeUndefined();
      await note(monitor, 'a', {});
      clock.time += 10_000;
      // However many wait, it is the same time.
      await note(monitor, 'b', { failure: 'timeout', durationMs: 10_000 });
      await note(monitor, 'c', { failure: 'timeout', durationMs: 10_000 });
    }
    expect(monitor.stopReason).toBe(targetTooSlow);
  });

  it('stops after 2 GB of bodies', async () => {
    const monitor = new TargetMonitor(async () => undefined, new Clock());
    await note(monitor, 'a', { bytes: 2 * 1024 ** 3 });
    expect(monitor.stopReason).toBeUndefined();
    await note(monitor, 'a', { bytes: 1 });
    expect(monitor.stopReason).toBe('the target has sent more than 2 GB of bodies');
  });

  it('stops after 512 MB of bodies that are of no use', async () => {
    const monitor = new TargetMonitor(async () => undefined, new Clock());
    await note(monitor, 'a', { bytes: 1024 ** 3 });
    await note(monitor, 'a', { failure: 'too-large', bytes: 512 * 1024 ** 2 });
    expect(monitor.stopReason).toBeUndefined();
    await note(monitor, 'b', { failure: 'reset', bytes: 1 });
    expect(monitor.stopReason).toBe(
      'the target has sent more than 512 MB of bodies that are too large or never whole',
    );
  });
});

describe('a variation', () => {
  const row = { wire: ['expectation'] };

  it('that three calls had in vain is waited for less, and stops nothing', async () => {
    const monitor = serving('a', 'b');
    await note(monitor, 'a', { durationMs: 40 });
    expect(monitor.patienceFor({ operation: 'c', row })).toBeUndefined();
    for (let count = 0; count < 40; count += 1)
      await note(monitor, 'ab'[count % 2] ?? '', { failure: 'timeout', row });
    expect(monitor.patienceFor({ operation: 'c', row: { ...row, body: 'larger' } })).toBe(1_040);
    expect(monitor.patienceFor({ operation: 'c', row: { wire: 'client leaves' } })).toBeUndefined();
    expect(monitor.isGivenUp('a')).toBe(false);
    expect(monitor.stopReason).toBeUndefined();
  });

  it('that one call had with success is waited for as usual', async () => {
    const monitor = serving('a');
    for (let count = 0; count < 3; count += 1) await note(monitor, 'a', { failure: 'timeout', row });
    await note(monitor, 'a', { row });
    expect(monitor.patienceFor({ operation: 'c', row })).toBeUndefined();
  });
});

describe('an operation that serves plain calls', () => {
  const without = (body: string): Outcome => ({ failure: 'timeout', row: { body } });

  it('is not given up for varied ones, which are waited for less once three were left unanswered', async () => {
    const monitor = serving('a');
    for (const body of ['none', 'malformed', 'a list']) {
      expect(monitor.patienceFor({ operation: 'a', row: { body: 'null' } })).toBeUndefined();
      await note(monitor, 'a', without(body));
    }
    expect(monitor.isGivenUp('a')).toBe(false);
    expect(monitor.patienceFor({ operation: 'a', row: { body: 'null' } })).toBe(1_000);
    expect(monitor.patienceFor({ operation: 'a' })).toBeUndefined();
    expect(monitor.patienceFor({ operation: 'b', row: { body: 'null' } })).toBeUndefined();
  });

  it('is given up once a plain one is left unanswered as well', async () => {
    const monitor = serving('a', 'b');
    for (const body of ['none', 'malformed', 'a list']) await note(monitor, 'a', without(body));
    await note(monitor, 'a', { failure: 'timeout' });
    await note(monitor, 'a', { failure: 'timeout' });
    await note(monitor, 'a', { failure: 'timeout' });
    expect(monitor.isGivenUp('a')).toBe(true);
  });
});

describe('an operation', () => {
  it('that never answered is given up after one time-out while others answer', async () => {
    const monitor = alive();
    await note(monitor, 'b', {});
    await note(monitor, 'a', { failure: 'timeout' });
    await note(monitor, 'b', { failure: 'timeout' });
    expect([monitor.isGivenUp('a'), monitor.isGivenUp('b')]).toEqual([true, false]);
  });

  it('is silent if it never answered in time', async () => {
    const monitor = alive();
    await note(monitor, 'a', {});
    await note(monitor, 'a', { failure: 'timeout' });
    await note(monitor, 'b', { failure: 'reset' });
    expect(monitor.hasSilentOperation).toBe(false);
    await note(monitor, 'b', { failure: 'timeout' });
    expect(monitor.hasSilentOperation).toBe(true);
  });

  it('is given up after three time-outs in a row', async () => {
    const monitor = alive();
    await note(monitor, 'a', {});
    await note(monitor, 'a', { failure: 'timeout' });
    await note(monitor, 'a', { failure: 'timeout' });
    expect(monitor.isGivenUp('a')).toBe(false);
    await note(monitor, 'a', { failure: 'timeout' });
    expect([monitor.isGivenUp('a'), monitor.isGivenUp('b')]).toEqual([true, false]);
  });

  it.each([
    ['an answer', undefined],
    ['another failure', 'reset'],
  ] as const)('is not given up where %s comes between', async (_what, kind) => {
    const monitor = alive();
    await note(monitor, 'a', {});
    for (const one of ['timeout', 'timeout', kind, 'timeout', 'timeout'] as const) {
      await note(monitor, 'a', { failure: one });
    }
    expect(monitor.isGivenUp('a')).toBe(false);
  });
});
