import { describe, expect, test } from 'vitest';
import type { Json } from '../model/target.ts';
import { seededRandom } from '../seeded-random.ts';
import { Draw } from './draw.ts';
import { jsonText } from './json-text.ts';
import { sampleMutations } from './mutated-json.ts';

const valid: Json = { merchant: 'atelier-nord', items: [{ product: 'shirt', quantity: 2 }], gift: false };

describe('mutations of a valid body', () => {
  const many = sampleAt(valid, 1, 3_000).map(jsonText);

  test('are the same at the same seed, and more of them begin with the fewer', () => {
    expect(sampleAt(valid, 5, 20)).toEqual(sampleAt(valid, 5, 20));
    expect(sampleAt(valid, 5, 40).slice(0, 20)).toEqual(sampleAt(valid, 5, 20));
    expect(sampleAt(valid, 6, 20)).not.toEqual(sampleAt(valid, 5, 20));
  });

  test('can all be written as JSON, and are hardly ever the valid body itself', () => {
    for (const text of many) expect(() => JSON.parse(text)).not.toThrow();
    expect(many.filter((text) => text === jsonText(valid)).length).toBeLessThan(150);
  });

  test.each([
    ['a member less', (text: string) => !text.includes('"gift"')],
    ['a member more', (text: string) => text.includes('__proto__')],
    ['another order', (text: string) => /"gift".*"merchant"/.test(text)],
    ['an unusual leaf in depth', (text: string) => /"quantity":-1[,}]/.test(text)],
    ['a number as no double holds it', (text: string) => text.includes('1e400')],
    ['a NUL within a text', (text: string) => /atelier[^"]*\\u0000/.test(text)],
    ['another type at the top', (text: string) => !text.startsWith('{')],
    ['items many times over', (text: string) => (text.match(/"shirt"/g) ?? []).length > 10],
  ])('have %s now and then', (_name, holds) => {
    expect(many.filter(holds).length).toBeGreaterThan(2);
  });

  test.each<readonly [Json]>([[{}], [[]], ['text'], [1], [null]])('are made of %j too', (whole) => {
    expect(sampleAt(whole, 1, 50)).toHaveLength(50);
  });
});

function sampleAt(valid: Json, seed: number, count: number): readonly Json[] {
  return sampleMutations([valid], new Draw(seededRandom(seed)), count);
}
