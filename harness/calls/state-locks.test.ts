import { expect, test } from 'vitest';
import { StateLock } from './state-locks.ts';

test('whoever is alone waits for those who share, and makes later ones wait', async () => {
  const lock = new StateLock();
  const log: string[] = [];
  const act = (name: string) => async (): Promise<void> => {
    log.push(`${name} begins`);
    await new Promise((resolve) => setTimeout(resolve, 1));
    log.push(`${name} ends`);
  };
  await Promise.all([
    lock.shared(act('a')),
    lock.shared(act('b')),
    lock.alone(act('c')),
    lock.shared(act('d')),
  ]);
  expect(log).toEqual([
    'a begins',
    'b begins',
    'a ends',
    'b ends',
    'c begins',
    'c ends',
    'd begins',
    'd ends',
  ]);
});

test('a failure of one stops nobody else', async () => {
  const lock = new StateLock();
  const failing = lock.alone(() => Promise.reject(new Error('no')));
  const next = lock.shared(() => Promise.resolve(1));
  await expect(failing).rejects.toThrow('no');
  await expect(next).resolves.toBe(1);
});

test('turns follow each other in the order of asking, beside those who share', async () => {
  const lock = new StateLock();
  const log: string[] = [];
  let release = (): void => undefined;
  const sharing = lock.shared(() => new Promise<void>((resolve) => (release = resolve)));
  const turn = (name: string) =>
    lock.inTurn(async () => {
      log.push(`${name} begins`);
      await Promise.resolve();
      log.push(`${name} ends`);
      if (name === 'b') throw new Error('no');
    });
  const turns = await Promise.allSettled([turn('a'), turn('b'), turn('c')]);
  expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  expect(turns.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  release();
  await sharing;
});
