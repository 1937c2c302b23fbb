import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test, vi } from 'vitest';
import { Interruption } from './target-monitor.ts';

test('keeps no result: the bodies of a run would not fit into memory', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const interruption = new Interruption();
  const results = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const result = Buffer.alloc(1_000);
      await interruption.unlessInterrupted(Promise.resolve(result));
      return new WeakRef(result);
    }),
  );
  await setImmediate();
  collectGarbage();
  expect(results.filter((result) => result.deref() !== undefined)).toEqual([]);
  expect(interruption.isRequested).toBe(false);
});

test('ends what waits once the grace is over, and what begins later', async () => {
  vi.useFakeTimers();
  try {
    const interruption = new Interruption();
    const never = new Promise<never>(() => undefined);
    const waiting = interruption.unlessInterrupted(never);
    const ended = expect(waiting).rejects.toThrow('over');
    interruption.request(new Error('over'));
    await expect(interruption.unlessInterrupted(Promise.resolve(1))).resolves.toBe(1);
    await vi.runAllTimersAsync();
    await ended;
    await expect(interruption.unlessInterrupted(never)).rejects.toThrow('over');
  } finally {
    vi.useRealTimers();
  }
});

test('ends all sleep at once', async () => {
  const warned = vi.spyOn(process, 'emitWarning');
  const interruption = new Interruption();
  const sleeping = Array.from({ length: 20 }, () =>
    expect(interruption.sleep(60_000)).rejects.toThrow('over'),
  );
  interruption.request(new Error('over'));
  await Promise.all(sleeping);
  await expect(interruption.sleep(60_000)).rejects.toThrow('over');
  expect(warned).not.toHaveBeenCalled();
});
