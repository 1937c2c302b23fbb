import { describe, expect, it } from 'vitest';
import { isUnprintable, mayLookLikeAnother } from './names.ts';

describe('names', () => {
  it.each([
    ['Latin and Cyrillic', '\u0410cme'],
    ['Greek and Cyrillic', '\u0391\u0441\u043c\u0435'],
    ['Georgian and Cyrillic', '\u10d0\u0441\u043c\u0435'],
    ['Cherokee and Lisu', '\u13aa\ua4d1'],
    ['Latin and Cyrillic around a digit', 'Ac4\u043c\u0435'],
    ['Hangul and Hiragana', '\ud55c\u3042'],
    ['a script of the past', '\u{10330}\u{10331}'],
    ['circled letters', '\u24b6\u24d2'],
  ])('may look like others with %s', (_what, name) => {
    expect(mayLookLikeAnother(name)).toBe(true);
  });

  it.each([
    'Acme\u2122 Caf\u00e9 \u6771\u4eac\u30b9\u30c8\u30a2EC \u0410\u043a\u043c\u0435',
    '\u041e\u041e\u041e "\u0420\u043e\u0433\u0430-2"',
    '\u6771\u4eac\u3068\u30b9\u30c8\u30fc\u30a2',
    '\ud55c\uad6d\u97d3 LG\uc804\uc790',
    '\u0915\u094d\u0937\u0924\u094d\u0930\u093f\u092f',
    'M\u00fcller & S\u00f6hne GmbH, Z\u00fcrich (CH)',
    '3M\u00ae O\u2019Neill',
  ])('are clear in one alphabet a word: %s', (name) => {
    expect([isUnprintable(name), mayLookLikeAnother(name)]).toEqual([false, false]);
  });

  it.each([
    ['a separator of lines', 'A\u2028B'],
    ['a separator of paragraphs', 'A\u2029B'],
    ['a private character', 'A\ue000'],
    ['a character that is none', 'A\u0378'],
    ['half a character', 'A\ud800'],
    ['a wide space', 'A\u2003B'],
    ['two spaces', 'A  B'],
    ['a space at the end', 'A '],
    ['a filler', 'A\u3164'],
  ])('are not printable with %s', (_what, name) => {
    expect(isUnprintable(name)).toBe(true);
  });
});
