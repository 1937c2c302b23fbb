import { describe, expect, it } from 'vitest';
import type { FailureKind } from '../model/exchange.ts';
import { AvailabilityMonitor, type MonitorClock } from './availability-monitor.ts';

/** Notes so many failures at so many operations in turn. */
async function fail(
  monitor: AvailabilityMonitor,
  times: number,
  kind: 'timeout' | 'reset' = 'reset',
): Promise<void> {
  for (let count = 0; count < times; count += 1) await note(monitor, `operation ${count}`, { failure: kind });
}

/** Time that passes only where somebody sleeps. */
class Clock implements MonitorClock {
  time = 10_000;
  readonly now = (): number => this.time;
  readonly sleep = async (ms: number): Promise<void> => {
    this.time += ms;
  };
}

interface Outcome {
  readonly failure?: FailureKind | undefined;
  readonly durationMs?: number;
  readonly bytes?: number;
}

async function note(monitor: AvailabilityMonitor, operation: string, outcome: Outcome): Promise<void> {
  const { failure, durationMs = 0, bytes = 0 } = outcome;
  if (failure !== undefined)
    monitor.noteFailure(operation, { kind: failure, label: 'its call', line: 'GET /x', durationMs });
  await monitor.noteAnswer(operation, { label: 'a call', isFailure: failure !== undefined, bytes });
}

describe('a dead target', () => {
  it('is probed after ten consecutive requests without an answer', async () => {
    let probes = 0;
    const monitor = new AvailabilityMonitor(async () => {
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
    const monitor = new AvailabilityMonitor(async () => 'refused', new Clock());
    const calls = [...Array(6).fill('reset'), ...Array(4).fill('refused')] as const;
    for (const [at, failure] of calls.entries()) await note(monitor, `operation ${at}`, { failure });
    expect(monitor.unreachable).toContain('operation 5 ');
    expect(monitor.unreachable).not.toContain('operation 6 ');
  });

  it('names what it answered last, as that may have brought it down', async () => {
    const monitor = new AvailabilityMonitor(async () => 'refused', new Clock());
    for (let at = 0; at < 9; at += 1) await note(monitor, `operation ${at}`, {});
    await fail(monitor, 10);
    expect(monitor.unreachable).toMatch(/operation 8 \(a call\)$/);
    expect(monitor.unreachable).not.toContain('operation 2 (a call)');
  });

  it('is not suspected while answers come in between', async () => {
    const monitor = new AvailabilityMonitor(() => expect.fail('probed'));
    await fail(monitor, 9);
    await note(monitor, 'operation', {});
    await fail(monitor, 9);
    expect(monitor.unreachable).toBeUndefined();
  });

  it('is probed once for all waiting requests', async () => {
    let probes = 0;
    const monitor = new AvailabilityMonitor(async () => {
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
    const monitor = new AvailabilityMonitor(async () => answers.shift(), new Clock());
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
    const monitor = new AvailabilityMonitor(async () => {
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
    const monitor = new AvailabilityMonitor(async () => (clock.time < 14_000 ? 'refused' : undefined), clock);
    await fail(monitor, 10);
    expect([monitor.unreachable, clock.time]).toEqual([undefined, 16_500]);
  });

  it('is not given more time where the probes take long', async () => {
    const clock = new Clock();
    const monitor = new AvailabilityMonitor(async () => {
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
    const monitor = new AvailabilityMonitor(async () => undefined, new Clock());
    for (let count = 0; count < 31; count += 1) {
      await note(monitor, 'a', { failure: 'timeout' });
      await note(monitor, 'b', {});
    }
    expect(monitor.stopReason).toBeUndefined();
    await note(monitor, 'a', { failure: 'timeout' });
    expect([monitor.unreachable, monitor.stopReason]).toEqual([
      undefined,
      'the target left 32 requests without an answer in time (raise --timeout)',
    ]);
  });

  it('stops after standing still for 32 seconds in all', async () => {
    const clock = new Clock();
    const monitor = new AvailabilityMonitor(async () => undefined, clock);
    for (let count = 1; count <= 4; count += 1) {
      expect(monitor.stopReason).toBeUndefined();
      await note(monitor, 'a', {});
      clock.time += 10_000;
      // However many wait, it is the same time.
      await note(monitor, 'b', { failure: 'timeout', durationMs: 10_000 });
      await note(monitor, 'c', { failure: 'timeout', durationMs: 10_000 });
    }
    expect(monitor.stopReason).toBe('the target left 7 requests without an answer in time (raise --timeout)');
  });

  it('stops after 2 GB of bodies', async () => {
    const monitor = new AvailabilityMonitor(async () => undefined, new Clock());
    await note(monitor, 'a', { bytes: 2 * 1024 ** 3 });
    expect(monitor.stopReason).toBeUndefined();
    await note(monitor, 'a', { bytes: 1 });
    expect(monitor.stopReason).toBe('the target has sent more than 2 GB of bodies');
  });

  it('stops after 512 MB of bodies that are of no use', async () => {
    const monitor = new AvailabilityMonitor(async () => undefined, new Clock());
    await note(monitor, 'a', { bytes: 1024 ** 3 });
    await note(monitor, 'a', { failure: 'too-large', bytes: 512 * 1024 ** 2 });
    expect(monitor.stopReason).toBeUndefined();
    await note(monitor, 'b', { failure: 'reset', bytes: 1 });
    expect(monitor.stopReason).toBe(
      'the target has sent more than 512 MB of bodies that are too large or never whole',
    );
  });
});

describe('an operation', () => {
  const alive = (): AvailabilityMonitor => new AvailabilityMonitor(async () => undefined);

  it('that never answered is given up after one time-out while others answer', async () => {
    const monitor = alive();
    await note(monitor, 'b', {});
    await note(monitor, 'a', { failure: 'timeout' });
    await note(monitor, 'b', { failure: 'timeout' });
    expect([monitor.isGivenUp('a'), monitor.isGivenUp('b')]).toEqual([true, false]);
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
