import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { code, codeBlock, inline } from './inline.ts';
import { outsideCode } from './outside-code-for-tests.ts';

const attacks = [
  '@octocat',
  'see @octocat, please',
  '![x](https://evil.example/x.png)',
  '[x](javascript:alert(1))',
  '<img src=x onerror=alert(1)>',
  '<!-- -->',
  '</details>',
  'https://evil.example',
  'www.evil.example',
  'me@evil.example',
  '#123',
  'GH-12',
  'a1b2c3d4e5',
  '*bold* _it_ ~~gone~~',
  '| a | b |',
  '`',
  '``` sh',
  'a`b``c```d',
  '` `',
  '\\`',
  '# heading',
  '- item',
  '1. item',
  '> quote',
  '---',
  '&lt;script&gt;',
  'a\nb\n\n## c',
  '$x$',
  ':smile:',
  '',
  ' ',
];

test.each(attacks)('%j is code, and all of it', (attack) => {
  expect(outsideCode(inline(attack))).toBe(attack === '' ? '(empty)' : '⌷');
  expect(outsideCode(code(attack))).toBe(attack === '' ? '(empty)' : '⌷');
});

test.each([
  'an unknown key is refused',
  '3 cases failed at 2 operations',
  'Authentication, rule 4',
  'AUTH-3',
  'The requirement was tested and passed.',
])('%j is prose', (text) => {
  expect(inline(text)).toBe(text);
});

describe('whatever the text', () => {
  const text = fc.string({ unit: fc.constantFrom(...'`` |\\\n<>@a![]()_*#&~'), maxLength: 40 });

  test('code is one span on one line, and no bar ends a cell', () => {
    fc.assert(
      fc.property(
        text.filter((one) => one !== ''),
        (one) => {
          expect(outsideCode(code(one))).toBe('⌷');
          expect(code(one)).not.toMatch(/[|\n]/);
        },
      ),
    );
  });

  test('a block is one block', () => {
    fc.assert(
      fc.property(text, (one) => {
        expect(outsideCode(codeBlock(one, 'sh', 1_000))).toBe('⌷');
      }),
    );
  });
});

test('a block keeps its lines, shows what is invisible, and says what it leaves out', () => {
  expect(codeBlock('a\n  b\u202e', 'yaml', 100)).toBe('```yaml\na\n  b\\u{202e}\n```');
  expect(codeBlock('abcdef', '', 4)).toBe('```\nabcd\n```\n\n… and 2 more characters');
});
