import { expect, it } from 'vitest';
import { Semaphore } from './semaphore.ts';

it('lets so many through, and one more for each that leaves, in the order in which they came', () => {
  const semaphore = new Semaphore(2);
  const entered: string[] = [];
  const guests = ['a', 'b', 'c', 'd', 'e'].map((name) => () => void entered.push(name));
  expect(guests.map((guest) => semaphore.take(guest))).toEqual([true, true, false, false, false]);
  const [a, b, c, d, e] = guests as [() => void, () => void, () => void, () => void, () => void];
  semaphore.leave(c);
  semaphore.leave(a);
  expect(entered).toEqual(['d']);
  semaphore.leave(b);
  expect(entered).toEqual(['d', 'e']);
  semaphore.leave(d);
  semaphore.leave(e);
  expect([semaphore.take(a), semaphore.take(b), semaphore.take(c)]).toEqual([true, true, false]);
});
