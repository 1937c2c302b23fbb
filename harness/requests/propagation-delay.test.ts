import { expect, it } from 'vitest';
import { PropagationDelay } from './propagation-delay.ts';

it('waits for the longest that was needed', () => {
  const propagationDelay = new PropagationDelay();
  expect(propagationDelay.ms).toBe(0);
  propagationDelay.tookUntil(1500);
  propagationDelay.tookUntil(500);
  expect(propagationDelay.ms).toBe(1500);
});

it('gives up where waiting does not help, until a longer wait is known to', () => {
  const propagationDelay = new PropagationDelay();
  propagationDelay.tookUntil(500);
  for (const isKnown of [true, false, true, false, true]) propagationDelay.waited(isKnown);
  expect(propagationDelay.ms).toBe(500);
  propagationDelay.waited(false);
  expect(propagationDelay.ms).toBe(0);
  propagationDelay.tookUntil(1500);
  expect(propagationDelay.ms).toBe(1500);
});

it('does not give up where something is unknown now and then for a reason of its own', () => {
  const propagationDelay = new PropagationDelay();
  propagationDelay.tookUntil(500);
  for (let wait = 0; wait < 100; wait += 1) propagationDelay.waited(wait % 5 !== 4);
  expect(propagationDelay.ms).toBe(500);
});
