import { expect, it } from 'vitest';
import { Semaphore } from './semaphore.ts';

it('lets so many cases run at once, and another one while a case waits', async () => {
  const slots = new Semaphore(1);
  const seen: string[] = [];
  let wake = (): void => undefined;
  const first = slots.run(async () => {
    seen.push('first begins');
    await slots.wait(() => new Promise<void>((resolve) => (wake = resolve)));
    seen.push('first ends');
  });
  const others = ['second', 'third'].map((name) =>
    slots.run(async () => {
      seen.push(`${name} begins`);
      wake();
      await Promise.resolve();
      seen.push(`${name} ends`);
    }),
  );
  await Promise.all([first, ...others]);
  expect(seen).toEqual([
    'first begins',
    'second begins',
    'second ends',
    'first ends',
    'third begins',
    'third ends',
  ]);
});

it('lets others act while a case gives way, and makes it wait until they are done', async () => {
  const slots = new Semaphore(1);
  const seen: string[] = [];
  const first = slots.run(async () => {
    await slots.giveWay(async () => seen.push('first gives way'));
    seen.push('first ends');
  });
  const second = slots.run(async () => {
    seen.push('second begins');
    await new Promise((resolve) => setTimeout(resolve, 1));
    seen.push('second ends');
  });
  await Promise.all([first, second]);
  expect(seen).toEqual(['first gives way', 'second begins', 'second ends', 'first ends']);
});

it('gives a place back after a failure', async () => {
  const slots = new Semaphore(1);
  await expect(slots.run(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  await expect(slots.run(async () => 'ran')).resolves.toBe('ran');
});
