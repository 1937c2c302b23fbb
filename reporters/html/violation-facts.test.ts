import { toHtml } from 'hast-util-to-html';
import { expect, test } from 'vitest';
import { compareWords, inlineChange } from './violation-facts.ts';

function differing(expected: string, actual: string): string[] {
  return compareWords(expected, actual).map((parts) =>
    parts
      .filter(({ differs }) => differs)
      .map(({ text }) => text)
      .join('')
      .trim(),
  );
}

test.each([
  ['401', '200', '401', '200'],
  ['a body with code, message', 'a body with message', 'code,', ''],
  ['200 and a list', '200 and a word', 'list', 'word'],
  ['same', 'same', '', ''],
  ['', 'x', '', 'x'],
])('%j against %j', (expected, actual, left, right) => {
  expect(differing(expected, actual)).toEqual([left, right]);
});

test('no letter is lost, and floods are compared as a whole', () => {
  const flood = Array.from({ length: 2_000 }, (_, index) => index).join(' ');
  for (const [left, right] of [
    ['one of 200, 400', 'one  of (500)'],
    [flood, 'x '.repeat(500)],
  ] as const) {
    expect(compareWords(left, right).map((parts) => parts.map(({ text }) => text).join(''))).toEqual([
      left,
      right,
    ]);
  }
});

test('short texts stand on one line, long ones do not', () => {
  const element = inlineChange({ expected: '401', actual: '200' });
  expect(element && toHtml(element).replaceAll(/<[^>]*>/g, '')).toBe('expected 401 → , got 200');
  expect(inlineChange({ expected: 'x'.repeat(40), actual: '200' })).toBeNull();
  expect(inlineChange({ expected: null, actual: null })).toBeNull();
});
