import { expect, test } from 'vitest';
import { SharedLock } from './shared-lock.ts';

test('whoever is alone waits for those who share, and makes later ones wait', async () => {
  const lock = new SharedLock();
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
  const lock = new SharedLock();
  const failing = lock.alone(() => Promise.reject(new Error('no')));
  const next = lock.shared(() => Promise.resolve(1));
  await expect(failing).rejects.toThrow('no');
  await expect(next).resolves.toBe(1);
});
