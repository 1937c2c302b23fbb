import { expect, test } from 'vitest';
import { Outstanding } from './outstanding.ts';

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
