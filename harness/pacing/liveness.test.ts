import { describe, expect, it } from 'vitest';
import { Liveness } from './liveness.ts';

/** Notes so many failures at so many operations in turn. */
async function fail(liveness: Liveness, times: number, kind: 'timeout' | 'reset' = 'reset'): Promise<void> {
  for (let count = 0; count < times; count += 1) await liveness.note(`operation ${count}`, kind);
}

describe('a dead target', () => {
  it('is looked for after ten requests in a row without an answer', async () => {
    let looks = 0;
    const liveness = new Liveness(async () => {
      looks += 1;
      return 'refused';
    });
    await fail(liveness, 9);
    expect([looks, liveness.dead]).toEqual([0, undefined]);
    await fail(liveness, 1);
    expect(looks).toBe(1);
    expect(liveness.dead).toMatch(/^refused; the first requests without an answer: operation 0 /);
  });

  it('is not suspected where answers come in between', async () => {
    const liveness = new Liveness(() => expect.fail('looked'));
    await fail(liveness, 9);
    await liveness.note('operation', undefined);
    await fail(liveness, 9);
    expect(liveness.dead).toBeUndefined();
  });

  it('is looked for once by all who wait', async () => {
    let looks = 0;
    const liveness = new Liveness(async () => {
      looks += 1;
      return undefined;
    });
    await Promise.all(Array.from({ length: 15 }, (_, at) => liveness.note(`operation ${at}`, 'reset')));
    expect(looks).toBe(1);
  });

  it('that answers when it is looked at is alive, until ten more go without an answer', async () => {
    const answers = [undefined, 'gone'];
    const liveness = new Liveness(async () => answers.shift());
    await fail(liveness, 10);
    expect(liveness.dead).toBeUndefined();
    await fail(liveness, 10);
    expect(liveness.dead).toContain('gone');
  });
});

describe('an operation', () => {
  const alive = (): Liveness => new Liveness(async () => undefined);

  it('is given up after three time-outs in a row', async () => {
    const liveness = alive();
    await liveness.note('a', 'timeout');
    await liveness.note('a', 'timeout');
    expect(liveness.isGivenUp('a')).toBe(false);
    await liveness.note('a', 'timeout');
    expect([liveness.isGivenUp('a'), liveness.isGivenUp('b')]).toEqual([true, false]);
  });

  it.each([
    ['an answer', undefined],
    ['another failure', 'reset'],
  ] as const)('is not given up where %s comes between', async (_what, kind) => {
    const liveness = alive();
    for (const one of ['timeout', 'timeout', kind, 'timeout', 'timeout'] as const) {
      await liveness.note('a', one);
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
    for (const operation of ['a', 'b']) await liveness.note(operation, undefined, 200);
    await liveness.note('a', undefined, 503);
    expect(liveness.isOverload('a', 503)).toBe(false);
    await liveness.note('b', undefined, 503);
    expect(['a', 'b', 'c'].map((operation) => liveness.isOverload(operation, 503))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('is not what is answered again and again', async () => {
    const liveness = alive();
    for (const operation of ['a', 'b']) await liveness.note(operation, undefined, 200);
    for (let count = 0; count < 20; count += 1) {
      for (const operation of ['a', 'b']) await liveness.note(operation, undefined, 503);
    }
    expect(liveness.isOverload('a', 503)).toBe(false);
    expect(liveness.isOverload('a', 429)).toBe(true);
  });
});
