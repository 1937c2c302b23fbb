import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from './any-character-for-tests.ts';
import { printableJson } from './printable-json.ts';
import { visibleText } from './visible-text.ts';

test('means the same as JSON, and shows every character', () => {
  const property = fc.property(
    fc.jsonValue({ stringUnit: anyCharacter }),
    fc.constantFrom(undefined, 2),
    (value, indent) => {
      const text = printableJson(value, indent);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      for (const line of text.split('\n')) expect(visibleText(line)).toBe(line);
    },
  );
  fc.assert(property, { numRuns: 50 });
});

test.each([
  ['\u009b\u202e', '"\\u009b\\u202e"'],
  ['\u{e0041}é', '"\\udb40\\udc41é"'],
  ['a\nb', '"a\\nb"'],
])('%j', (value, text) => {
  expect(printableJson(value)).toBe(text);
});
