import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { cutColumns, padColumns, wrapText } from './layout.ts';

test('wide and combining characters count as they show', () => {
  expect(padColumns('日', 4)).toBe('日  ');
  expect(padColumns('e\u0301', 2)).toBe('e\u0301 ');
});

test('a cut text ends in an ellipsis and fits', () => {
  expect(cutColumns('abcdef', 4)).toBe('abc…');
  expect(cutColumns('abcd', 4)).toBe('abcd');
  expect(cutColumns('日本語', 4)).toBe('日…');
});

test('lines break at spaces, and within a word only where it has to be', () => {
  expect(wrapText('one two three', 9, '', '  ')).toEqual(['one two', '  three']);
  expect(wrapText('abcdefghij', 6, '', '  ')).toEqual(['abcdef', '  ghij']);
  expect(wrapText('a  b', 20, '  ')).toEqual(['  a  b']);
  expect(wrapText('', 20, '  ')).toEqual(['']);
});

test.each([10, 17, 40])('nothing is lost or too wide at %i columns', (width) => {
  const text = `some words ${'x'.repeat(50)} 日本語日本語日本語日本語 end`;
  const lines = wrapText(text, width, '  ', '    ');
  expect(
    lines
      .map((line) => line.trim())
      .join('')
      .replaceAll(' ', ''),
  ).toBe(text.replaceAll(' ', ''));
  for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(width);
});
