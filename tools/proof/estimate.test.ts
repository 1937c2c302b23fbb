import { expect, test } from 'vitest';
import { announce } from './estimate.ts';

const jobs = (kind: 'fault' | 'variant', count: number, parts: object = {}) =>
  Array.from({ length: count }, () => ({ kind, profile: 'standard' as const, ...parts }));

test('says how many services are to be proven, and about how long that takes', () => {
  expect(announce([...jobs('fault', 1_463), ...jobs('variant', 619)], 2)).toBe(
    '1,463 faults and 619 variants to prove: about 46 minutes on 2 idle processors',
  );
  expect(announce(jobs('fault', 1), 2)).toBe(
    '1 fault and 0 variants to prove: less than a minute on 2 idle processors',
  );
});

test('estimates no time for quick runs and for runs of one check', () => {
  expect(announce(jobs('fault', 9, { profile: 'quick' }), 2)).toBe('9 faults and 0 variants to prove');
  expect(announce(jobs('variant', 9, { check: 'auth/a' }), 2)).toBe('0 faults and 9 variants to prove');
});
