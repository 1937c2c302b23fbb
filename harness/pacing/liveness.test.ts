import { describe, expect, it } from 'vitest';
import { Liveness, type LivenessClock, type Sign } from './liveness.ts';

/** Notes so many failures at so many operations in turn. */
async function fail(liveness: Liveness, times: number, kind: 'timeout' | 'reset' = 'reset'): Promise<void> {
  for (let count = 0; count < times; count += 1)
    await note(liveness, `operation ${count}`, { failure: kind });
}

/** Time that passes only where somebody sleeps. */
class Clock implements LivenessClock {
  time = 10_000;
  readonly now = (): number => this.time;
  readonly sleep = async (ms: number): Promise<void> => {
    this.time += ms;
  };
}

async function note(liveness: Liveness, operation: string, sign: Sign): Promise<void> {
  if (sign.failure !== undefined) liveness.miss(operation, sign);
  await liveness.note(operation, sign);
}

describe('a dead target', () => {
  it('is looked for after ten requests in a row without an answer', async () => {
    let looks = 0;
    const liveness = new Liveness(async () => {
      looks += 1;
      return 'refused';
    }, new Clock());
    await fail(liveness, 9);
    expect([looks, liveness.dead]).toEqual([0, undefined]);
    await fail(liveness, 1);
    expect(looks).toBe(5);
    expect(liveness.dead).toMatch(/^refused; the first requests without an answer: operation 0 /);
  });

  it('is not suspected where answers come in between', async () => {
    const liveness = new Liveness(() => expect.fail('looked'));
    await fail(liveness, 9);
    await note(liveness, 'operation', {});
    await fail(liveness, 9);
    expect(liveness.dead).toBeUndefined();
  });

  it('is looked for once by all who wait', async () => {
    let looks = 0;
    const liveness = new Liveness(async () => {
      looks += 1;
      return undefined;
    });
    await Promise.all(
      Array.from({ length: 15 }, (_, at) => note(liveness, `operation ${at}`, { failure: 'reset' })),
    );
    expect(looks).toBe(1);
  });

  it('that answers when it is looked at is alive, until ten more go without an answer', async () => {
    const answers = [undefined, 'gone', 'gone', 'gone', 'gone', 'gone'];
    const liveness = new Liveness(async () => answers.shift(), new Clock());
    await fail(liveness, 10);
    expect(liveness.dead).toBeUndefined();
    await fail(liveness, 10);
    expect(liveness.dead).toContain('gone');
  });
});

describe('a target that falls silent', () => {
  it('is looked for at the first time-out in whose time nobody was answered', async () => {
    const clock = new Clock();
    const looks: number[] = [];
    const liveness = new Liveness(async () => {
      looks.push(clock.time);
      return undefined;
    }, clock);
    await note(liveness, 'a', {});
    clock.time += 5_000;
    await note(liveness, 'b', { failure: 'timeout', durationMs: 10_000 });
    expect(looks).toEqual([]);
    clock.time += 5_000;
    await note(liveness, 'b', { failure: 'timeout', durationMs: 10_000 });
    expect(looks).toEqual([clock.time]);
    expect(liveness.ended).toBeUndefined();
  });

  it('is waited for as long as a restart takes', async () => {
    const clock = new Clock();
    const liveness = new Liveness(async () => (clock.time < 14_000 ? 'refused' : undefined), clock);
    await fail(liveness, 10);
    expect([liveness.dead, clock.time]).toEqual([undefined, 16_500]);
  });

  it('is not waited for where looking itself takes long', async () => {
    const clock = new Clock();
    const liveness = new Liveness(async () => {
      clock.time += 10_000;
      return 'no answer';
    }, clock);
    await fail(liveness, 10);
    expect(clock.time).toBe(20_000);
    expect(liveness.ended).toMatch(/^the target stopped answering: no answer; the first requests/);
  });
});

describe('a run', () => {
  it('is ended after so many time-outs, though answers come in between', async () => {
    const liveness = new Liveness(async () => undefined, new Clock());
    for (let count = 0; count < 31; count += 1) {
      await note(liveness, 'a', { failure: 'timeout' });
      await note(liveness, 'b', { status: 200 });
    }
    expect(liveness.ended).toBeUndefined();
    await note(liveness, 'a', { failure: 'timeout' });
    expect([liveness.dead, liveness.ended]).toEqual([
      undefined,
      'the target left 32 requests without an answer in time (raise --timeout)',
    ]);
  });

  it('is ended when it stood still for so long, in all', async () => {
    const clock = new Clock();
    const liveness = new Liveness(async () => undefined, clock);
    for (let count = 1; count <= 4; count += 1) {
      expect(liveness.ended).toBeUndefined();
      await note(liveness, 'a', { status: 200 });
      clock.time += 10_000;
      // However many wait, it is the same time.
      await note(liveness, 'b', { failure: 'timeout', durationMs: 10_000 });
      await note(liveness, 'c', { failure: 'timeout', durationMs: 10_000 });
    }
    expect(liveness.ended).toBe('the target left 7 requests without an answer in time (raise --timeout)');
  });

  it('is ended after so many bytes', async () => {
    const liveness = new Liveness(async () => undefined, new Clock());
    await note(liveness, 'a', { status: 200, bytes: 2 * 1024 ** 3 });
    expect(liveness.ended).toBeUndefined();
    await note(liveness, 'a', { status: 200, bytes: 1 });
    expect(liveness.ended).toBe('the target has sent more than 2 GB of bodies');
  });
});

describe('an operation', () => {
  const alive = (): Liveness => new Liveness(async () => undefined);

  it('that was never answered is given up after one time-out where others are', async () => {
    const liveness = alive();
    await note(liveness, 'b', {});
    await note(liveness, 'a', { failure: 'timeout' });
    await note(liveness, 'b', { failure: 'timeout' });
    expect([liveness.isGivenUp('a'), liveness.isGivenUp('b')]).toEqual([true, false]);
  });

  it('is given up after three time-outs in a row', async () => {
    const liveness = alive();
    await note(liveness, 'a', {});
    await note(liveness, 'a', { failure: 'timeout' });
    await note(liveness, 'a', { failure: 'timeout' });
    expect(liveness.isGivenUp('a')).toBe(false);
    await note(liveness, 'a', { failure: 'timeout' });
    expect([liveness.isGivenUp('a'), liveness.isGivenUp('b')]).toEqual([true, false]);
  });

  it.each([
    ['an answer', undefined],
    ['another failure', 'reset'],
  ] as const)('is not given up where %s comes between', async (_what, kind) => {
    const liveness = alive();
    await note(liveness, 'a', {});
    for (const one of ['timeout', 'timeout', kind, 'timeout', 'timeout'] as const) {
      await note(liveness, 'a', { failure: one });
    }
    expect(liveness.isGivenUp('a')).toBe(false);
  });
});

describe('an overload', () => {
  const alive = (): Liveness => new Liveness(async () => undefined);

  it('is a 429, at any time', () => {
    expect(alive().isOverload('a', 429)).toBe(true);
    for (const status of [undefined, 200, 404, 500, 502]) expect(alive().isOverload('a', status)).toBe(false);
  });

  it('is a 503 of several operations that serve otherwise', async () => {
    const liveness = alive();
    for (const operation of ['a', 'b']) await note(liveness, operation, { status: 200 });
    await note(liveness, 'a', { status: 503 });
    expect(liveness.isOverload('a', 503)).toBe(false);
    await note(liveness, 'b', { status: 503 });
    expect(['a', 'b', 'c'].map((operation) => liveness.isOverload(operation, 503))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('is not what is answered again and again', async () => {
    const liveness = alive();
    for (const operation of ['a', 'b']) await note(liveness, operation, { status: 200 });
    for (let count = 0; count < 20; count += 1) {
      for (const operation of ['a', 'b']) await note(liveness, operation, { status: 503 });
    }
    expect(liveness.isOverload('a', 503)).toBe(false);
    expect(liveness.isOverload('a', 429)).toBe(true);
  });
});
