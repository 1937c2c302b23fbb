import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { parseYaml, RefusedYaml } from './parse-yaml.ts';

test('gives back what was written', () => {
  // JSON writes the negative zero as 0.
  const value = fc.json({ maxDepth: 4 }).map((text) => JSON.parse(JSON.stringify(JSON.parse(text))));
  fc.assert(
    fc.property(value, (written) => {
      const [document] = parseYaml(stringify(written));
      expect(document?.errors).toEqual([]);
      expect(document?.toJS()).toEqual(JSON.parse(JSON.stringify(written)));
    }),
    { numRuns: 50 },
  );
});

test('ends for any text in documents or in a refusal', () => {
  const piece = fc.constantFrom(
    'a',
    '- ',
    '? ',
    ': ',
    '[',
    '{',
    '&a ',
    '*a ',
    '"',
    '\n',
    '  ',
    '!t ',
    '|',
    '#',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      try {
        for (const document of parseYaml(pieces.join(''))) expect(document.errors).toBeDefined();
      } catch (error) {
        expect(error).toBeInstanceOf(RefusedYaml);
      }
    }),
    { numRuns: 200 },
  );
});

describe('texts that would take too long, or the stack', () => {
  test.each([
    ['brackets', '['.repeat(20_000)],
    ['sequences', '- '.repeat(20_000)],
    ['keys that are collections', '? '.repeat(20_000)],
    ['indentation', Array.from({ length: 1_000 }, (_, at) => `${' '.repeat(at)}a:`).join('\n')],
    ['errors', '] '.repeat(200_000)],
    ['length', `a: ${'x'.repeat(3_000_000)}`],
  ])('%s', (_name, text) => {
    expect(() => parseYaml(text)).toThrow(RefusedYaml);
  });

  test('thousands of keys are no problem, and each counts once', () => {
    const keys = Array.from({ length: 5_000 }, (_, at) => `k${at}: 1\n`).join('');
    const [document] = parseYaml(`${keys}k7: 2\n`);
    expect(document?.errors.map(({ code }) => code)).toEqual(['DUPLICATE_KEY']);
  });
});
