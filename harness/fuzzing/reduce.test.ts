import { describe, expect, test } from 'vitest';
import { fewerParts, reduce, smallerSequences } from './reduce.ts';

describe('reduce', () => {
  test.each([
    [
      'one letter among many',
      'abcdefgh\u0000ijklmnop',
      (text: string) => text.includes('\u0000'),
      '\u0000',
      20,
    ],
    ['two letters apart', 'xx<yyyyyyyyyyyy>zz', (text: string) => /<.*>/.test(text), '<>', 45],
    ['a least length', 'q'.repeat(4096), (text: string) => text.length > 255, 'a'.repeat(256), 40],
    [
      'an exact length',
      'a slug-of 64 characters'.padEnd(64, 'x'),
      (text: string) => text.length === 64,
      'a'.repeat(64),
      30,
    ],
    [
      'a length of no round number',
      'q'.repeat(4096),
      (text: string) => text.length > 300,
      'a'.repeat(301),
      90,
    ],
    ['anything at all', 'anything', () => true, '', 3],
  ])('%s', async (_name, start, fails, smallest, mostAsked) => {
    const { input, asked, isMinimal } = await reduceText(start, fails, 200);
    expect({ input, isMinimal }).toEqual({ input: smallest, isMinimal: true });
    expect(asked).toBeLessThanOrEqual(mostAsked);
  });

  test.each([0, 17, 59])('finds the one part among sixty that fails by halves: %s', async (cause) => {
    const { input, asked } = await reduce<readonly number[]>(
      Array.from({ length: 60 }, (_, at) => at),
      {
        smaller: fewerParts,
        keyOf: JSON.stringify,
        stillFails: (some) => Promise.resolve(some.includes(cause)),
        budget: 60,
      },
    );
    expect(input).toEqual([cause]);
    expect(asked).toBeLessThanOrEqual(16);
  });

  test('ends with the budget, and says so', async () => {
    const { asked, isMinimal, input } = await reduceText('q'.repeat(4096), (text) => text.length > 300, 5);
    expect(asked).toBe(5);
    expect(isMinimal).toBe(false);
    expect(input.length).toBeLessThan(4096);
  });

  test('finds the smallest that fails again, where a smaller one fails by chance', async () => {
    const asked = new Set<string>();
    const { input, isMinimal } = await reduceText('bbbbbbbbbbbb', (text) => {
      const isFirst = !asked.has(text);
      asked.add(text);
      return text.length > (isFirst ? 3 : 6);
    });
    expect(input.length).toBeGreaterThan(6);
    expect(isMinimal).toBe(false);
  });

  test('asks for nothing twice but the smallest form', async () => {
    const asked: string[] = [];
    await reduceText('aaaaaaaabbbbbbbb', (text) => {
      asked.push(text);
      return text.includes('b') && text.length > 3;
    });
    expect(asked.at(-1)).toBe('aaab');
    expect(new Set(asked).size).toBe(asked.length - 1);
  });
});

async function reduceText(
  start: string,
  fails: (text: string) => boolean,
  budget = 1000,
): Promise<{ input: string; asked: number; isMinimal: boolean }> {
  const reduced = await reduce<readonly string[]>([...start], {
    smaller: (letters) => smallerSequences(letters, () => 'a'),
    keyOf: (letters) => letters.join(''),
    stillFails: async (letters) => fails(letters.join('')),
    budget,
  });
  return { ...reduced, input: reduced.input.join('') };
}
