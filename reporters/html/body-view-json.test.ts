import { expect, test } from 'vitest';
import { indentJson, pointersIn } from './body-view.ts';

function indented(text: string): string {
  return indentJson(text, Number.POSITIVE_INFINITY)
    .map((line) => line.text)
    .join('\n');
}

test.each([
  { a: 1, b: [true, null, { c: 'x, {y}: "z"' }], d: {}, e: [], f: [[], [[1]]] },
  [],
  {},
  [{ '': { '': [] } }],
  { 'a/b~c': '\\"', d: '\u2028' },
])('%j is indented as JSON.stringify does', (value) => {
  expect(indented(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
});

test('numbers, escapes and repeated names stay as they were sent', () => {
  expect(indented('{"n":1.0e+400,"n":12345678901234567890,"s":"\\u0041\\/"}')).toBe(
    '{\n  "n": 1.0e+400,\n  "n": 12345678901234567890,\n  "s": "\\u0041\\/"\n}',
  );
});

test('each line knows the pointer of the value that begins on it', () => {
  const lines = indentJson('{"a":{"b/c":[1,{"d":2}]},"e":3}', Number.POSITIVE_INFINITY);
  expect(lines.map(({ pointer }) => pointer)).toEqual([
    '',
    '/a',
    '/a/b~1c',
    '/a/b~1c/0',
    '/a/b~1c/1',
    '/a/b~1c/1/d',
    '/a/b~1c/1',
    '/a/b~1c',
    '/a',
    '/e',
    '',
  ]);
});

test('a text that is cut off is indented as far as it goes', () => {
  expect(indented('{"a":[1,{"b":"cut of')).toBe('{\n  "a": [\n    1,\n    {\n      "b": "cut of');
});

test('a deep text does not become a flood of white space', () => {
  expect(indented('['.repeat(6_000)).length).toBeLessThan(6_000 * 60);
});

test('what stands between brackets that do not match is still shown', () => {
  expect(indented(']}1')).toContain('1');
});

test.each([
  ['/price/amount must be number', '/price/amount', true],
  ['/items/*/price must be number', '/items/12/price', true],
  ['/items/*/price must be number', '/items/x/price', false],
  ['/price must be number', '/price/amount', false],
  ['text/html; charset=utf-8', '/html', false],
  ['https://shop.example/return', '/return', false],
])('%j speaks of %j: %j', (message, pointer, says) => {
  expect(pointersIn(message).some((pattern) => pattern.test(pointer))).toBe(says);
});

test('no more lines are made than are asked for', () => {
  expect(indentJson('['.repeat(10_000), 3).map(({ text }) => text)).toEqual(['[', '  [', '    [']);
});
