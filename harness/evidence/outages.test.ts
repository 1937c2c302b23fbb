import { expect, it } from 'vitest';
import { type AnsweredCall, outagesOf } from './outages.ts';

const call = (end: number, came: number, operation = `op${end % 3}`): AnsweredCall => ({
  ...{ operation, end, came, isValid: true, label: 'valid call' },
});

const served = Array.from({ length: 100 }, (_, at) => call(100 * at, 200));

it('notes the moment at which an instance stops and leaves calls unanswered, while others answer', () => {
  const left = [call(5_000, 503), call(5_010, 503), call(5_101, 503)];
  const stop = { came: 503, from: 5_000, to: 5_101, times: 3, operations: 3, isPartial: true };
  expect(outagesOf([...served, ...left])).toEqual([stop]);
});

it.each([
  ['too few', [call(5_000, 503), call(5_001, 503)]],
  ['of one operation', [call(5_000, 503, 'a'), call(5_001, 503, 'a'), call(5_002, 503, 'a')]],
  ['at other times as well', [call(5_000, 503), call(5_001, 503), call(5_002, 503), call(9_000, 503)]],
])('notes no such moment where the calls are %s', (_what, left) => {
  expect(outagesOf([...served, ...left])).toEqual([]);
});
