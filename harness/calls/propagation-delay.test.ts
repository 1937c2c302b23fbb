import { expect, it } from 'vitest';
import { PropagationDelay } from './propagation-delay.ts';

it('waits for the longest that was needed, a second at the most', () => {
  const propagationDelay = new PropagationDelay();
  expect(propagationDelay.ms).toBe(0);
  propagationDelay.tookUntil(1500);
  propagationDelay.tookUntil(500);
  expect(propagationDelay.ms).toBe(1000);
});

it('gives up where waiting does not help, until a longer wait is known to', () => {
  const propagationDelay = new PropagationDelay();
  propagationDelay.tookUntil(500);
  for (const isKnown of [true, false, true, false, true]) propagationDelay.waited(isKnown);
  expect(propagationDelay.ms).toBe(500);
  propagationDelay.waited(false);
  expect(propagationDelay.ms).toBe(0);
  propagationDelay.tookUntil(1500);
  expect(propagationDelay.ms).toBe(1000);
});

it('does not give up where something is unknown now and then for a reason of its own', () => {
  const propagationDelay = new PropagationDelay();
  propagationDelay.tookUntil(500);
  for (let wait = 0; wait < 100; wait += 1) propagationDelay.waited(wait % 5 !== 4);
  expect(propagationDelay.ms).toBe(500);
});

it('knows the values that were issued less than two seconds ago', () => {
  const propagationDelay = new PropagationDelay();
  propagationDelay.issued('login-state-1', 10_000);
  propagationDelay.issued('7', 10_000);
  const isFresh = (values: readonly string[], body: string, at: number): boolean =>
    propagationDelay.isFresh(values, body, at);
  expect(isFresh(['login-state-1'], '', 11_999)).toBe(true);
  propagationDelay.issued('20261123', 10_000);
  expect(isFresh([], '{"login":20261123}', 11_999)).toBe(true);
  expect(isFresh([], '{"login":202611230}', 11_999)).toBe(false);
  expect(isFresh([], '{"state":"login-state-1\\u0000"', 11_999)).toBe(false);
  expect(isFresh([], '{"state":"login-state-1"', 11_999)).toBe(true);
  expect(isFresh(['login-state-1'], '', 12_000)).toBe(false);
  expect(isFresh(['login-state-2'], '', 10_500)).toBe(false);
  expect(isFresh([], '{"state":"login-state-12"}', 10_500)).toBe(false);
  expect(isFresh([], '{"count":7}', 10_500)).toBe(false);
  propagationDelay.ended('login-state-1');
  expect(isFresh(['login-state-1'], '', 11_999)).toBe(false);
});

/** Answers of consecutive calls; the last one repeats. */
function answering(...answers: readonly number[]): () => Promise<number> {
  let calls = 0;
  return async () => answers[Math.min(calls++, answers.length - 1)] ?? 0;
}

const isEarly = (status: number): boolean => status === 404;

it('retries an early answer after growing pauses, and says how long it waited', async () => {
  const pauses: number[] = [];
  const propagationDelay = new PropagationDelay(async (ms) => void pauses.push(ms));
  expect(await propagationDelay.retry('read', answering(404, 404, 200), isEarly)).toEqual({
    answer: 200,
    waitedMs: 500,
  });
  expect(await propagationDelay.retry('read', answering(409), isEarly)).toEqual({ answer: 409, waitedMs: 0 });
  expect(pauses).toEqual([250, 250]);
});

it('stops retrying an operation that retries hardly ever helped, and no other', async () => {
  const propagationDelay = new PropagationDelay(async () => undefined);
  const waitFor = async (operation: string, ...answers: readonly number[]): Promise<number> =>
    (await propagationDelay.retry(operation, answering(...answers), isEarly)).waitedMs;
  for (const waited of [2_000, 2_000, 2_000, 0]) expect(await waitFor('read', 404)).toBe(waited);
  expect(await waitFor('cancel', 404, 200)).toBe(250);
  for (let count = 0; count < 6; count += 1) expect(await waitFor('cancel', 404)).toBe(2_000);
  expect(await waitFor('cancel', 404, 200)).toBe(0);
});
