import { describe, expect, it } from 'vitest';
import { VirtualTime } from './limits-for-tests.ts';
import { type PaceSignal, RateLimiter, type RateLimiterOptions, ThrottledTooLong } from './rate-limiter.ts';

function signalOf(status: number | undefined): PaceSignal {
  if (status === undefined) return 'unanswered';
  if (status === 502) return 'unavailable';
  if (status === 503) return 'overloaded';
  return status === 429 ? 'throttled' : 'served';
}

/** A rate limiter whose time passes only where it sleeps, or where a request takes time. */
class Context {
  now = 1_000_000;
  readonly starts: number[] = [];
  readonly sleeps: number[] = [];
  readonly rateLimiter: RateLimiter;
  active = 0;
  mostActive = 0;

  constructor(options: Partial<RateLimiterOptions> = {}) {
    this.rateLimiter = new RateLimiter({
      concurrency: 4,
      rate: undefined,
      random: () => 0.5,
      now: () => this.now,
      sleep: async (ms) => {
        this.sleeps.push(ms);
        await Promise.resolve();
        this.now += ms;
      },
      ...options,
    });
  }

  /** Sends one request that takes so long and is answered so. */
  send(status: number | undefined, ms = 0, operation = ''): Promise<unknown> {
    return this.rateLimiter.run(
      async () => {
        this.starts.push(this.now);
        this.active += 1;
        this.mostActive = Math.max(this.mostActive, this.active);
        await Promise.resolve();
        this.now += ms;
        this.active -= 1;
        return status;
      },
      signalOf,
      operation,
    );
  }

  async sendMany(count: number, status: number, ms = 0): Promise<void> {
    for (let sent = 0; sent < count; sent += 1) await this.send(status, ms);
  }

  /** Requests per second between the last so many starts. */
  pace(last: number): number {
    const starts = this.starts.slice(-last - 1);
    return (1000 * last) / ((starts.at(-1) ?? 0) - (starts[0] ?? 0));
  }
}

/** Requests that end only when they are told to. */
function heldRequests(rateLimiter: RateLimiter): {
  start(): Promise<number>;
  readonly ends: Array<(status: number) => void>;
} {
  const ends: Array<(status: number) => void> = [];
  const start = (): Promise<number> =>
    rateLimiter.run(() => new Promise<number>((resolve) => ends.push(resolve)), signalOf);
  return { start, ends };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

describe('concurrency', () => {
  it.each([1, 3, 16])('is never more than %i', async (concurrency) => {
    const context = new Context({ concurrency });
    await Promise.all(Array.from({ length: 100 }, () => context.send(200)));
    expect(context.mostActive).toBe(concurrency);
    expect(context.starts).toHaveLength(100);
  });

  it('is given free by requests that throw, too', async () => {
    const context = new Context({ concurrency: 1 });
    const failing = context.rateLimiter.run(
      () => Promise.reject(new Error('broken')),
      () => 'unanswered',
    );
    await expect(failing).rejects.toThrow('broken');
    await context.send(200);
    expect(context.starts).toHaveLength(1);
  });

  it('lets the next one start as soon as one has ended', async () => {
    const { start, ends } = heldRequests(new Context({ concurrency: 2 }).rateLimiter);
    const all = [start(), start(), start()];
    await settle();
    expect(ends).toHaveLength(2);
    ends[0]?.(200);
    await settle();
    expect(ends).toHaveLength(3);
    for (const end of ends) end(200);
    expect(await Promise.all(all)).toEqual([200, 200, 200]);
  });
});

describe('rate', () => {
  it.each([1, 25, 400])('of %i per second is kept', async (rate) => {
    const context = new Context({ rate });
    await context.sendMany(200, 200);
    expect(context.pace(100)).toBeCloseTo(rate, 3);
  });

  it('is kept by requests that come all at once', async () => {
    const context = new Context({ rate: 10, concurrency: 8 });
    await Promise.all(Array.from({ length: 50 }, () => context.send(200)));
    expect(Math.max(...context.starts) - Math.min(...context.starts)).toBeGreaterThanOrEqual(4_800);
  });

  it('is not made up for after a pause', async () => {
    const context = new Context({ rate: 10 });
    await context.sendMany(5, 200);
    context.now += 60_000;
    const from = context.starts.length;
    await context.sendMany(10, 200);
    const starts = context.starts.slice(from);
    expect((starts.at(-1) ?? 0) - (starts[0] ?? 0)).toBeGreaterThanOrEqual(800);
  });

  it('is no matter where none is asked for', async () => {
    const context = new Context();
    await context.sendMany(1_000, 200);
    expect(context.sleeps).toEqual([]);
  });
});

describe('throttling', () => {
  it('makes the next request wait, and the pace less than it was', async () => {
    const context = new Context();
    await context.sendMany(100, 200, 10);
    await context.send(429);
    await context.sendMany(3, 200);
    expect(context.sleeps[0]).toBe(125);
    expect(Math.abs(context.pace(2) - 0.85 * 100)).toBeLessThan(1);
  });

  it('reduces the pace once for all requests that were under way', async () => {
    const context = new Context({ concurrency: 10 });
    await context.sendMany(100, 200, 10);
    const { start, ends } = heldRequests(context.rateLimiter);
    const wave = Array.from({ length: 10 }, start);
    await settle();
    context.now += 1;
    for (const end of ends) end(429);
    await Promise.all(wave);
    await context.sendMany(3, 200);
    expect(context.pace(2)).toBeGreaterThan(60);
  });

  it('doubles the pause once for each wave, not for each answer of it', async () => {
    const context = new Context({ concurrency: 10 });
    for (const ceiling of [250, 500]) {
      const { start, ends } = heldRequests(context.rateLimiter);
      const wave = Array.from({ length: 10 }, start);
      for (let turn = 0; ends.length < 10 && turn < 100; turn += 1) await settle();
      const slept = context.sleeps.length;
      context.now += 1;
      for (const end of ends) end(429);
      await Promise.all(wave);
      await context.send(429);
      expect(context.sleeps[slept]).toBeLessThanOrEqual(ceiling);
    }
  });

  it('pauses for at most eight seconds and never goes below one request in two seconds', async () => {
    const context = new Context({ random: () => 0.999 });
    await context.sendMany(60, 429);
    expect(Math.max(...context.sleeps)).toBeLessThan(8_000);
    await context.sendMany(2, 200);
    expect(context.pace(1)).toBeCloseTo(0.5, 1);
  });

  it('soon forgets throttling that only the first requests met', async () => {
    const context = new Context();
    await context.sendMany(5, 429);
    await context.sendMany(100, 200);
    expect(context.pace(20)).toBeGreaterThan(100);
  });

  it('pauses for a second at most, and keeps the pace, where one operation is unavailable', async () => {
    const context = new Context({ random: () => 0.999 });
    for (let count = 0; count < 60; count += 1) await context.send(502);
    expect(Math.max(...context.sleeps)).toBeLessThan(1_000);
    await context.sendMany(50, 200, 1);
    expect(context.pace(40)).toBeGreaterThan(900);
  });

  it.for([
    [503, 100, 'returns to it at once, if only once, after an outage'],
    [429, 60, 'does not after throttling'],
  ] as const)('of %i to a pace of 100: at %i, it %s', async ([status, expected]) => {
    const context = new Context();
    await context.sendMany(100, 200, 10);
    for (const again of [expected, 60]) {
      await context.sendMany(8, status);
      await context.sendMany(20, 200, 10);
      if (again === 100) expect(context.pace(10)).toBeGreaterThan(99);
      else expect(context.pace(10)).toBeLessThan(60);
    }
  });

  it('returns to the pace before each of several outages of 429 while it serves twenty times as many', async () => {
    const context = new Context();
    for (let outage = 0; outage < 5; outage += 1) {
      await context.sendMany(100, 200, 10);
      await context.sendMany(4, 429);
    }
    await context.sendMany(20, 200, 10);
    expect(context.pace(10)).toBeGreaterThan(99);
  });

  it('lets the pace grow again, slowly near what was too much and faster beyond', async () => {
    const context = new Context();
    await context.sendMany(100, 200, 10);
    await context.send(429);
    const paces: number[] = [];
    for (let round = 0; round < 24; round += 1) {
      await context.sendMany(100, 200);
      paces.push(context.pace(10));
    }
    expect(paces).toEqual([...paces].sort((a, b) => a - b));
    expect(paces[0]).toBeLessThan(95);
    expect(paces[5]).toBeLessThan(115);
    expect(paces.at(-1)).toBeGreaterThan(200);
  });

  it('never lets the pace grow beyond the rate that was asked for', async () => {
    const context = new Context({ rate: 20 });
    await context.sendMany(30, 200);
    await context.send(429);
    await context.sendMany(500, 200);
    expect(context.pace(48)).toBeCloseTo(20, 3);
  });
});

describe('a rate that was asked for', () => {
  const startsAt = async (
    rate: number,
    companies: readonly string[],
    answerOf: (nth: number) => number = () => 200,
  ): Promise<readonly number[]> => {
    const time = new VirtualTime();
    const starts: number[] = [];
    const rateLimiter = new RateLimiter({
      ...{ concurrency: 16, rate, random: () => 0.5 },
      now: () => time.now,
      sleep: (ms) => time.sleep(ms),
    });
    const send = async (): Promise<number> => answerOf(starts.push(time.now));
    const all = companies.map((company) => rateLimiter.run(send, signalOf, 'read', { company }));
    await time.run(Promise.all(all));
    return starts;
  };
  const groupsOf = (starts: readonly number[]): readonly number[] =>
    [...new Set(starts)].map((start) => starts.filter((one) => one === start).length);

  it.for([
    [10, 4],
    [2, 2],
    [0.5, 1],
  ] as const)('of %d per second starts so many together at the most: %i', async ([rate, together]) => {
    const starts = await startsAt(
      rate,
      Array.from({ length: 41 }, (_, at) => String(at)),
    );
    expect(Math.max(...groupsOf(starts))).toBe(together);
    expect((1000 * 40) / ((starts.at(-1) ?? 0) - (starts[0] ?? 0)) / rate).toBeCloseTo(1, 1);
  });

  it('lets the requests of one company start together, however many', async () => {
    expect(groupsOf(await startsAt(10, Array(12).fill('a'))).at(-1)).toBe(12);
  });

  it('lets them start apart where the target refuses requests for their pace', async () => {
    const starts = await startsAt(10, [...'bcdefghij', ...Array(6).fill('a')], (nth) =>
      nth < 8 ? 429 : 200,
    );
    expect(Math.max(...groupsOf(starts.slice(-5)))).toBe(1);
  });
});

describe('waiting for a target that refuses requests', () => {
  it('is told of, with the operations whose requests wait', async () => {
    const context = new Context();
    expect(context.rateLimiter.waiting).toBeUndefined();
    await context.sendMany(100, 200, 10);
    await context.send(429);
    await context.send(200);
    const request = context.rateLimiter.run(
      async () => 200,
      () => 'served',
      'getPublicProduct',
    );
    expect(context.rateLimiter.waiting).toEqual(['getPublicProduct']);
    await request;
    expect(context.rateLimiter.waiting).toEqual([]);
    expect(context.rateLimiter.slowedMs).toBeGreaterThanOrEqual(125);
  });

  it('is over once no request has waited for a while', async () => {
    const context = new Context();
    await context.send(429);
    await context.send(200);
    context.now += 5_000;
    expect(context.rateLimiter.waiting).toBeUndefined();
  });

  it('is none where only the rate that was asked for makes requests wait', async () => {
    const context = new Context({ rate: 10 });
    await context.sendMany(20, 200);
    expect(context.rateLimiter.waiting).toBeUndefined();
    expect(context.rateLimiter.slowedMs).toBe(0);
  });
});

describe('patience', () => {
  it('ends where nothing but 429 was answered for longer', async () => {
    const context = new Context({ patienceMs: 9_000 });
    await context.send(429);
    context.now += 10_000;
    await context.send(429);
    await expect(context.send(200)).rejects.toThrow(ThrottledTooLong);
  });

  it('counts from the first throttled answer, however long nothing was sent before', async () => {
    const context = new Context({ patienceMs: 9_000 });
    await context.send(200);
    context.now += 1_000_000;
    await context.send(429);
    await expect(context.send(200)).resolves.toBe(200);
  });

  it('is shorter with a target that throttled before it had served a hundred requests', async () => {
    for (const [served, outcome] of [
      [99, 'rejects'],
      [100, 'resolves'],
    ] as const) {
      const context = new Context({ patienceMs: 61_000 });
      await context.sendMany(served, 200);
      await context.send(429);
      context.now += 50_000;
      await context.send(429);
      if (outcome === 'rejects') await expect(context.send(200)).rejects.toThrow('throttled for 45 s');
      else await expect(context.send(200)).resolves.toBe(200);
    }
  });

  it('is not regained where a request got no answer', async () => {
    const context = new Context({ patienceMs: 9_000 });
    await context.send(429);
    await context.send(undefined);
    context.now += 10_000;
    await context.send(429);
    await expect(context.send(200)).rejects.toThrow(ThrottledTooLong);
  });

  it('begins anew with any other answer', async () => {
    const context = new Context({ patienceMs: 9_000 });
    await context.send(429);
    await context.send(500);
    context.now += 100_000;
    await context.send(429);
    await expect(context.send(200)).resolves.toBe(200);
  });
});

describe('an operation that is refused while others are served', () => {
  /** Others are served, then one operation is refused so often. */
  async function refuse(times: number): Promise<Context> {
    const context = new Context();
    for (let served = 0; served < 30; served += 1) await context.send(200, 1, `other ${served % 5}`);
    for (let refused = 0; refused < times; refused += 1) await context.send(429, 1, 'a');
    return context;
  }

  it('does not slow the others down from the third refusal on', async () => {
    const context = await refuse(4);
    const slept = context.sleeps.length;
    for (let served = 0; served < 30; served += 1) await context.send(200, 1, `other ${served % 5}`);
    expect(context.sleeps).toHaveLength(slept);
    expect(context.pace(20)).toBeCloseTo(1_000);
  });

  it('waits by itself, for longer after each refusal, until it is served', async () => {
    const context = await refuse(8);
    await context.send(200, 1, 'a');
    expect(context.sleeps.slice(-4)).toEqual([...context.sleeps.slice(-4)].sort((a, b) => a - b));
    expect(context.sleeps.at(-1)).toBeGreaterThanOrEqual(500);
  });

  it('is given up after several seconds of waiting, until it is served', async () => {
    const context = await refuse(18);
    expect(context.now).toBeGreaterThan(1_005_000);
    const isInVain = (): boolean[] => ['a', 'b'].map((operation) => context.rateLimiter.isInVain(operation));
    expect(isInVain()).toEqual([true, false]);
    await context.send(200, 1, 'a');
    expect(isInVain()).toEqual([false, false]);
  });

  it('is not to blame alone where others are refused as well', async () => {
    const context = await refuse(0);
    for (let call = 0; call < 20; call += 1) await context.send(429, 1, `other ${call % 5}`);
    for (let call = 0; call < 20; call += 1) await context.send(429, 1, 'a');
    expect(context.rateLimiter.isInVain('a')).toBe(false);
  });
});
