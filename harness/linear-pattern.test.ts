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
    ['^([\\w-.]+@)+[\\w-.]+$', 'a-b.c@d', 'a b@c'],
    ['^(?=.*[A-Z])(?=.*\\d).{2,}$', 'A1', 'a1'],
    ['^(?!.*--)(?!-)([a-z-]+,?)+$', 'a-b', 'a--b'],
    ['^([a-z]+ ?)+(?<!x)$', 'a b', 'a x'],
    ['^(?:ab){1,1500}c(?:d|e)$', 'ababcd', 'cd'],
    ['^[a-z]{2,}x{1001,1200}(y|z)$', `ab${'x'.repeat(1_100)}y`, `ab${'x'.repeat(1_000)}y`],
    ['^(a|.)$', 'b', '\r'],
    ['^(a|[[:alpha:]])$', 'a', 'alp'],
    ['^(a|[^])$', '\n', 'ab'],
    ['^(a|[\\S])$', 'b', '\u00a0'],
  ])('%s matches as ECMAScript would', (pattern, yes, no) => {
    const compiled = linearPattern(pattern);
    expect(compiled?.test(yes)).toBe(true);
    expect(compiled?.test(no)).toBe(false);
  });

  it.each(['^([a-zA-Z0-9_ -]+)+$', '^(a|a)*$', '^(.*)*$', '(x+x+)+y'])('%s does not hang', (pattern) => {
    expect(linearPattern(pattern)?.test(`${'a'.repeat(5_000)}\n!`)).toBe(false);
  });

  it.each([
    '(?=a)b',
    '(?<!a)b',
    '(a)\\1',
    '^a(?=b)[a-z]+(x|y)$',
    '^(?=a)b|c',
    '^(?:[a-z]{2000}|b){9}$',
    '^(x{9000}|y)$',
    '(',
    '[z-a]',
  ])('%s is not matched at all', (pattern) => {
    expect(linearPattern(pattern)).toBeUndefined();
  });
});
