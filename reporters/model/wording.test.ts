import { expect, test } from 'vitest';
import { escapeText } from './wording.ts';

test.each([
  ['a\nb\r\tc', 'a\\nb\\r\\tc'],
  ['\x1b[31mred\x1b]0;title\x07', '\\x1b[31mred\\x1b]0;title\\x07'],
  ['\x9b2J\x7f\x00', '\\x9b2J\\x7f\\x00'],
  ['a\u202eb\u2066c\u200fd', 'a\\u{202e}b\\u{2066}c\\u{200f}d'],
  ['a\u2028b\u2029c', 'a\\u{2028}b\\u{2029}c'],
  ['a\u200b\ufeff\u00ad\u3164\ufe0f', 'a\\u{200b}\\u{feff}\\xad\\u{3164}\\u{fe0f}'],
  ['\ud800', '\\u{d800}'],
  ['a##[set-output name=verdict]b', 'a#\\x23[set-output name=verdict]b'],
  ['##vso[task.complete]##teamcity[x]', '#\\x23vso[task.complete]#\\x23teamcity[x]'],
  ['\u{e0041}', '\\u{e0041}'],
])('%j becomes visible', (text, shown) => {
  expect(escapeText(text)).toBe(shown);
});

test.each(['plain {"a": "b\\n"}', 'Grüße, 日本語, 😀', "it's <b>"])('%j stays as it is', (text) => {
  expect(escapeText(text)).toBe(text);
});

test('a long text is cut and says how much is missing', () => {
  expect(escapeText('x'.repeat(400))).toBe(`${'x'.repeat(300)}… (100 more characters)`);
  expect(escapeText('😀😀', 3)).toBe('😀\\u{d83d}… (1 more characters)');
});

test('no code unit gets through that a terminal would obey', () => {
  const all = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).join('a');
  expect(escapeText(all, all.length)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
});
