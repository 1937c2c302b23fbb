import { expect, it } from 'vitest';
import { Turnstile } from './semaphore.ts';

it('lets so many through, and one more for each that leaves, in the order in which they came', () => {
  const turnstile = new Turnstile(2);
  const entered: string[] = [];
  const guests = ['a', 'b', 'c', 'd', 'e'].map((name) => () => void entered.push(name));
  expect(guests.map((guest) => turnstile.take(guest))).toEqual([true, true, false, false, false]);
  const [a, b, c, d, e] = guests as [() => void, () => void, () => void, () => void, () => void];
  turnstile.leave(c);
  turnstile.leave(a);
  expect(entered).toEqual(['d']);
  turnstile.leave(b);
  expect(entered).toEqual(['d', 'e']);
  turnstile.leave(d);
  turnstile.leave(e);
  expect([turnstile.take(a), turnstile.take(b), turnstile.take(c)]).toEqual([true, true, false]);
});
