import { expect, it } from 'vitest';
import { Settling } from './propagation-delay.ts';

it('waits for the longest that was needed', () => {
  const settling = new Settling();
  expect(settling.ms).toBe(0);
  settling.tookUntil(1500);
  settling.tookUntil(500);
  expect(settling.ms).toBe(1500);
});

it('gives up where waiting does not help, until a longer wait is known to', () => {
  const settling = new Settling();
  settling.tookUntil(500);
  for (const isKnown of [true, false, true, false, true]) settling.waited(isKnown);
  expect(settling.ms).toBe(500);
  settling.waited(false);
  expect(settling.ms).toBe(0);
  settling.tookUntil(1500);
  expect(settling.ms).toBe(1500);
});

it('does not give up where something is unknown now and then for a reason of its own', () => {
  const settling = new Settling();
  settling.tookUntil(500);
  for (let wait = 0; wait < 100; wait += 1) settling.waited(wait % 5 !== 4);
  expect(settling.ms).toBe(500);
});
