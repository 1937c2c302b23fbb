import { expect, test } from 'vitest';
import { compareWords } from './difference.ts';

function differing(expected: string, actual: string): string[][] {
  return compareWords(expected, actual).map((parts) =>
    parts.filter(({ differs }) => differs).map(({ text }) => text),
  );
}

test.each([
  ['401', '200', ['401'], ['200']],
  ['a body with code, message', 'a body with message', ['code, '], []],
  ['200 and a list', '200 and a word', ['list'], ['word']],
  ['a a', 'a a a', [], ['a ']],
  ['same', 'same', [], []],
  ['', 'x', [], ['x']],
])('%j against %j', (expected, actual, left, right) => {
  expect(differing(expected, actual).map((parts) => parts.join('').trim())).toEqual(
    [left, right].map((parts) => parts.join('').trim()),
  );
});

test('no letter is lost', () => {
  const [left, right] = compareWords('one of 200, 400', 'one  of (500)');
  expect(left.map(({ text }) => text).join('')).toBe('one of 200, 400');
  expect(right.map(({ text }) => text).join('')).toBe('one  of (500)');
});
