import { expect, it } from 'vitest';
import { PropagationDelay } from './propagation-delay.ts';

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

it('retries an early answer after growing pauses', async () => {
  const pauses: number[] = [];
  const propagationDelay = new PropagationDelay(async (ms) => void pauses.push(ms));
  expect(await propagationDelay.retry('read', answering(404, 404, 200), isEarly)).toBe(200);
  expect(await propagationDelay.retry('read', answering(409), isEarly)).toBe(409);
  expect(pauses).toEqual([250, 250]);
});

it('stops retrying an operation that retries hardly ever helped, and no other', async () => {
  const pauses: number[] = [];
  const propagationDelay = new PropagationDelay(async (ms) => void pauses.push(ms));
  const waitFor = async (operation: string, ...answers: readonly number[]): Promise<number> => {
    await propagationDelay.retry(operation, answering(...answers), isEarly);
    return pauses.splice(0).reduce((sum, ms) => sum + ms, 0);
  };
  for (const waited of [2_000, 2_000, 2_000, 0]) expect(await waitFor('read', 404)).toBe(waited);
  expect(await waitFor('cancel', 404, 200)).toBe(250);
  for (let count = 0; count < 6; count += 1) expect(await waitFor('cancel', 404)).toBe(2_000);
  expect(await waitFor('cancel', 404, 200)).toBe(0);
});
