import { expect, test } from 'vitest';
import { Outstanding } from './budget-reservations.ts';

test('adds up what the cases have still to send', () => {
  const outstanding = new Outstanding();
  outstanding.expect('a', 3);
  outstanding.expect('b', 2);
  expect(outstanding.total).toBe(5);
  outstanding.sent('a');
  expect(outstanding.total).toBe(4);
  outstanding.done('a');
  expect(outstanding.total).toBe(2);
});

test('a case that sends more than was expected, or was not expected at all, takes nothing from the others', () => {
  const outstanding = new Outstanding();
  outstanding.expect('a', 1);
  for (let sent = 0; sent < 3; sent += 1) outstanding.sent('b');
  outstanding.sent('a');
  outstanding.sent('a');
  outstanding.done('b');
  expect(outstanding.total).toBe(0);
});

test('a case begins only where what it is going to send fits besides what those under way have still to send', () => {
  const outstanding = new Outstanding();
  for (const id of ['a', 'b', 'c']) outstanding.expect(id, 40);
  expect(outstanding.begin('a', 100)).toBe(true);
  expect(outstanding.begin('b', 100)).toBe(true);
  expect(outstanding.begin('c', 100)).toBe(false);
  outstanding.done('a');
  expect(outstanding.begin('c', 60)).toBe(false);
  expect(outstanding.begin('c', 100)).toBe(true);
});

test('a case that has begun goes on, whatever remains', () => {
  const outstanding = new Outstanding();
  outstanding.expect('a', 40);
  expect(outstanding.begin('a', 50)).toBe(true);
  expect(outstanding.begin('a', 0)).toBe(true);
});

test('what is granted to a case besides is outstanding, too', () => {
  const outstanding = new Outstanding();
  outstanding.expect('a', 1);
  outstanding.expectMore('a', 2);
  outstanding.sent('a');
  expect(outstanding.total).toBe(2);
});
