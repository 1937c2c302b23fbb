import { expect, it } from 'vitest';
import { fixOfLookup } from './inexact-lookups.ts';

it.each([
  ['tasse-blau', ['tasse_blau'], /LIKE/],
  ['tasse-blau', ['tasse-bl*', 'tasse_blau'], /LIKE/],
  ['sess_4kQ7zB', ['sess_4k', 'sess_4kQ7z_'], /LIKE/],
  ['509750165', ['509750165abc'], /whole value is one/],
  ['sess_4kQ7zB', ['sess_4kQ7zBabc'], /its beginning/],
  ['sess_4kQ7zB', ['sess_4k'], /its beginning/],
  ['moka-pot', ['moka-pót'], /accented/],
  ['moka-pot', ['moka-pot;v=1'], /semicolon/],
])('for %s explains %j', (known, values, fix) => {
  expect(fixOfLookup(values, known)).toMatch(fix);
});

it.each([
  ['moka-pot', ['mokb-pot']],
  ['moka-pot', ['moka_pot', 'mokb-pot']],
  ['a(b)+c', ['a(b)_d']],
  ['moka-pot', ['*'.repeat(40)]],
])('for %s says nothing of %j', (known, values) => {
  expect(fixOfLookup(values, known)).toBeUndefined();
});
