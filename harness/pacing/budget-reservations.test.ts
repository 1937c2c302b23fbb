import { expect, test } from 'vitest';
import { BudgetReservations, followUpRoom } from './budget-reservations.ts';
import { RateLimiter } from './rate-limiter.ts';

test('adds up what the cases have still to send', () => {
  const reservations = new BudgetReservations();
  reservations.expect('a', 3);
  reservations.expect('b', 2);
  expect(reservations.total).toBe(5);
  reservations.sent('a');
  expect(reservations.total).toBe(4);
  reservations.done('a');
  expect(reservations.total).toBe(2);
});

test('a case that sends more than was expected, or was not expected at all, takes nothing from the others', () => {
  const reservations = new BudgetReservations();
  reservations.expect('a', 1);
  for (let sent = 0; sent < 3; sent += 1) reservations.sent('b');
  reservations.sent('a');
  reservations.sent('a');
  reservations.done('b');
  expect(reservations.total).toBe(0);
});

test('a case begins only where what it is going to send fits besides what those under way have still to send', () => {
  const reservations = new BudgetReservations();
  for (const id of ['a', 'b', 'c']) reservations.expect(id, 40);
  expect(reservations.begin('a', 100)).toBe(true);
  expect(reservations.begin('b', 100)).toBe(true);
  expect(reservations.begin('c', 100)).toBe(false);
  reservations.done('a');
  expect(reservations.begin('c', 60)).toBe(false);
  expect(reservations.begin('c', 100)).toBe(true);
});

test('a case that has begun goes on, whatever remains', () => {
  const reservations = new BudgetReservations();
  reservations.expect('a', 40);
  expect(reservations.begin('a', 50)).toBe(true);
  expect(reservations.begin('a', 0)).toBe(true);
});

test('what a wrong response calls for leaves later cases room for set-up and retries too', () => {
  const reservations = new BudgetReservations();
  reservations.expect('later', 600);
  const rateLimiter = new RateLimiter({
    concurrency: 1,
    rate: undefined,
    maxRequests: 1_000,
    random: Math.random,
  });
  expect(followUpRoom({ rateLimiter, reservations })).toBe(1_000 - 40 - 900 - 40);
  reservations.done('later');
  expect(followUpRoom({ rateLimiter, reservations })).toBe(1_000 - 40 - 40);
});
