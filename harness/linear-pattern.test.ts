import { describe, expect, it } from 'vitest';
import { linearPattern } from './linear-pattern.ts';

describe('linearPattern', () => {
  it.each([
    ['^([a-zA-Z0-9_ -]+)+$', 'ab cd', 'a!'],
    ['^[a-z]{1,2000}$', 'abc', 'ABC'],
    ['^\\s+$', '\u00a0 ', 'a'],
    ['^[\\s,]+$', '\u2003,', 'a'],
    ['^\\S+(x|y)$', 'ax', '\u00a0x'],
    ['\\u00e9{2}(a|b)', 'x\u00e9\u00e9a', 'e'],
    ['^(\\p{L}+ ?)+$', '\u00e4 b', '1'],
    ['^(?:\\/[a-z.]+)+$', '/a/b', 'a'],
  ])('%s matches as ECMAScript would', (pattern, yes, no) => {
    const compiled = linearPattern(pattern);
    expect(compiled?.test(yes)).toBe(true);
    expect(compiled?.test(no)).toBe(false);
  });

  it.each(['^([a-zA-Z0-9_ -]+)+$', '^(a|a)*$', '^(.*)*$', '(x+x+)+y'])('%s does not hang', (pattern) => {
    expect(linearPattern(pattern)?.test(`${'a'.repeat(5_000)}\n!`)).toBe(false);
  });

  it.each(['(?=a)b', '(?<!a)b', '(a)\\1', '(', '[z-a]'])('%s is not matched at all', (pattern) => {
    expect(linearPattern(pattern)).toBeUndefined();
  });
});
