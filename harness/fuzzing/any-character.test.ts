import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyCharacter } from './any-character.ts';

it('is a single character, and never half a one', () => {
  for (const character of fc.sample(anyCharacter, { seed: 1, numRuns: 2_000 })) {
    expect([...character]).toHaveLength(1);
    expect(character).not.toMatch(/^[\ud800-\udfff]$/);
  }
});

it('comes from all planes', () => {
  const codes = fc
    .sample(anyCharacter, { seed: 1, numRuns: 2_000 })
    .map((character) => character.codePointAt(0) ?? 0);
  expect(Math.min(...codes)).toBeLessThan(0x80);
  expect(codes.some((code) => code >= 0xe000 && code <= 0xffff)).toBe(true);
  expect(Math.max(...codes)).toBeGreaterThan(0xf0000);
});

it.each([
  ['a letter', 'a', true],
  ['the last before the surrogates', '\ud7ff', true],
  ['the first after them', '\ue000', true],
  ['one beyond the first plane', '\u{1f455}', true],
  ['half a one', '\ud800', false],
  ['two', 'ab', false],
  ['none', '', false],
])('knows %s', (_what, text, isOne) => {
  expect(anyCharacter.canShrinkWithoutContext(text)).toBe(isOne);
});
