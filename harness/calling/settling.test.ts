import { expect, it } from 'vitest';
import { Settling } from './settling.ts';

it('waits for the longest that was needed', () => {
  const settling = new Settling();
  expect(settling.ms).toBe(0);
  settling.tookUntil(1500);
  settling.tookUntil(500);
  expect(settling.ms).toBe(1500);
});

it('gives up where waiting does not help', () => {
  const settling = new Settling();
  for (let refused = 0; refused < 9; refused += 1) settling.wasInVain();
  settling.tookUntil(500);
  expect(settling.ms).toBe(500);
  for (let refused = 0; refused < 3; refused += 1) settling.wasInVain();
  expect(settling.ms).toBe(0);
});
