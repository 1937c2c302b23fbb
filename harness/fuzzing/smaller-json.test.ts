import { describe, expect, test } from 'vitest';
import type { Json } from '../model/target.ts';
import { seededRandom } from '../seeded-random.ts';
import { Draw } from './draw.ts';
import { isJsonMembers, type JsonMembers } from './json-places.ts';
import { sampleMutations } from './mutated-json.ts';
import { reduce } from './reduce.ts';
import { nearerJson, smallerJson } from './smaller-json.ts';

const valid: JsonMembers = {
  merchant: 'atelier-nord',
  returnUrl: 'https://shop.example/return',
  items: [
    { product: 'shirt', quantity: 2 },
    { product: 'pot', quantity: 1 },
  ],
};

describe('values nearer to the valid one', () => {
  test('lead to it, one place after the other', () => {
    for (const start of sampleAt(valid, 3, 500)) {
      if (!isJsonMembers(start)) continue;
      let value: Json = start;
      for (let steps = 0; steps < 40; steps += 1) [value = value] = nearerJson(value, valid);
      expect(value).toEqual(valid);
    }
  });

  test('are none where nothing differs', () => {
    expect([...nearerJson(structuredClone(valid), valid)]).toEqual([]);
  });
});

describe('smaller values', () => {
  test.each<readonly [string, Json, (text: string) => boolean, string, number]>([
    [
      'a number in depth',
      { ...valid, items: [{ product: 'shirt', quantity: -7 }] },
      (text) => /\[\{[^\]]*"quantity":-/.test(text),
      '{"items":[{"quantity":-1}]}',
      30,
    ],
    [
      'a letter within a text',
      { ...valid, merchant: 'atelier\u0000nord' },
      (text) => /"merchant":"[^"]*\\u0000/.test(text),
      '{"merchant":"\\u0000"}',
      40,
    ],
    [
      'a depth',
      { ...valid, more: nested(300) },
      (text) => text.split('[').length > 41,
      `{"more":${'['.repeat(41)}${']'.repeat(41)}}`,
      100,
    ],
    [
      'an order of members',
      { items: valid['items'] ?? [], returnUrl: 'https://shop.example/return', merchant: 'atelier-nord' },
      (text) => text.indexOf('"items"') >= 0 && text.indexOf('"items"') < text.indexOf('"merchant"'),
      '{"items":0,"merchant":"atelier-nord"}',
      20,
    ],
    ['no member at all', { other: 1 }, (text) => text === '{}' || text === '{"other":1}', '{}', 3],
  ])('%s', async (_name, start, fails, smallest, mostAsked) => {
    const { input, asked, isMinimal } = await reduce(start, {
      smaller: (value) => smallerJson(value, valid),
      keyOf: (value) => JSON.stringify(value),
      stillFails: async (value) => fails(JSON.stringify(value)),
      budget: 300,
    });
    expect({ input: JSON.stringify(input), isMinimal }).toEqual({ input: smallest, isMinimal: true });
    expect(asked).toBeLessThanOrEqual(mostAsked);
  });

  test('leave as it is what is as in the valid value, or take it away', () => {
    const merchants = [...smallerJson({ ...valid, items: 0 }, valid)].flatMap((value) =>
      typeof value === 'object' && value !== null && 'merchant' in value ? [value['merchant']] : [],
    );
    expect(new Set(merchants)).toEqual(new Set(['atelier-nord']));
  });
});

function nested(levels: number): Json {
  let value: Json = 0;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

function sampleAt(valid: Json, seed: number, count: number): readonly Json[] {
  return sampleMutations([valid], new Draw(seededRandom(seed)), count);
}
