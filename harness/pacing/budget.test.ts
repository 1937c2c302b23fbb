import { expect, it } from 'vitest';
import { RequestBudget } from './budget.ts';

it('adds up what the cases have still to send', () => {
  const budget = new RequestBudget(1_000);
  budget.expect('a', 3);
  budget.expect('b', 2);
  expect(budget.reserved).toBe(5);
  budget.uses('a');
  expect(budget.reserved).toBe(4);
  budget.done('a');
  expect(budget.reserved).toBe(2);
});

it('takes nothing from other cases where one sends more than it announced, or announced nothing', () => {
  const budget = new RequestBudget(1_000);
  budget.expect('a', 1);
  for (const id of ['b', 'b', 'a', 'a']) budget.uses(id);
  budget.done('b');
  expect(budget.reserved).toBe(0);
});

it('lets a case begin only where its requests fit beside those of the cases under way, and then go on', () => {
  const budget = new RequestBudget(140);
  for (const id of ['a', 'b', 'c']) budget.expect(id, 40);
  expect(['a', 'b', 'c'].map((id) => budget.begin(id))).toEqual([true, true, false]);
  for (let sent = 0; sent < 90; sent += 1) budget.take();
  budget.done('a');
  budget.done('b');
  expect(budget.begin('c')).toBe(false);
  budget.expect('b', 9);
  expect(budget.begin('b')).toBe(true);
  while (budget.remaining > 0) budget.take();
  expect(budget.begin('b')).toBe(true);
});

it('leaves later cases room for set-up and retries before a wrong response takes any', () => {
  const budget = new RequestBudget(1_000);
  budget.expect('later', 600);
  expect(budget.followUpRoom).toBe(1_000 - 40 - 900 - 40);
  budget.done('later');
  expect(budget.followUpRoom).toBe(1_000 - 40 - 40);
});

it('is spent to the last request but those kept for cleaning up', () => {
  const budget = new RequestBudget(200);
  expect(budget.remaining).toBe(160);
  for (let sent = 0; sent < 160; sent += 1) budget.take();
  expect(budget.remaining).toBe(0);
  expect(budget.take()).toBe(false);
  for (let sent = 0; sent < 40; sent += 1) budget.take(true);
  expect(budget.take(true)).toBe(false);
  expect(budget.sent).toBe(200);
});

it('leaves a small one to the cases as well', () => {
  expect(new RequestBudget(30).remaining).toBeGreaterThan(0);
});

it('expects cases to need as great a part of what is reserved for them as those before', () => {
  const budget = new RequestBudget(1_000);
  budget.expect('first', 100);
  budget.expect('later', 200);
  expect(budget.likely).toBe(300);
  for (let sent = 0; sent < 25; sent += 1) budget.uses('first');
  budget.done('first');
  expect(budget.likely).toBe(50);
});
