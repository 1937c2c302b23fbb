import { expect, test } from 'vitest';
import { parseShard } from './shard-text.ts';

test.each([
  ['1/1', { index: 1, of: 1 }],
  ['2/4', { index: 2, of: 4 }],
  ['10/12', { index: 10, of: 12 }],
])('%s is a part', (text, shard) => {
  expect(parseShard(text)).toEqual(shard);
});

test.each(['', '0/4', '5/4', '4', '1/0', '-1/4', '1.5/4', '01/4', '1/4/2', '1 / 4', 'one/four', '1/1000000'])(
  '%s is none',
  (text) => {
    expect(parseShard(text)).toBeUndefined();
  },
);
