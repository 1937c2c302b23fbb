import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../harness/seeded-random.ts';
import { mostNearMisses, nearMisses } from './near-misses.ts';
import { isSpelling } from './shows-known.ts';

const knownValues = [
  'linen-shirt',
  'atelier-nord',
  'k',
  'size-4',
  '1001',
  '4c9d2a51-0b7e-4f66-9a3d-2f5b8c1e7d90',
  '01HZX3K5M7N9P1Q3R5S7T9V1W3',
  'cs_9fK2aQ7LmN4pR8sT1uV5wXyZ',
  'qrvM3e8SMkSqu8zd7v8AEQ',
  'cs/1+MTIzNDU2Nw==',
];

describe.each(knownValues)('near misses of %s', (known) => {
  const misses = nearMisses(known, seededRandom(1, known));

  test('are few, and different from each other', () => {
    const values = misses.map(({ value }) => value);
    expect(values.length).toBeGreaterThan(0);
    expect(values.length).toBeLessThanOrEqual(mostNearMisses);
    expect(new Set(values).size).toBe(values.length);
  });

  test('are no other spelling of the known value', () => {
    for (const { value } of misses) expect(isSpelling(value, known), value).toBe(false);
  });
});

test.each([
  ['cs_3b4ceb10b8fd4899851f02a43758deb1', /^cs_[0-9a-f]{32}$/],
  [
    'cs_4c9d2a51-0b7e-4f66-9a3d-2f5b8c1e7d90',
    /^cs_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-9[0-9a-f]{3}-[0-9a-f]{12}$/,
  ],
  ['01HZX3K5M7N9P1Q3R5S7T9V1W3', /^[0-9A-HJKMNP-TV-Z]{26}$/],
  ['cs_MFRGGZDFMZTWQ2LKNNWG23TPOBYXE43U', /^cs_[A-Z2-7]{32}$/],
  ['cs_1HvM_hiVLE0nxsyE9xViSej4', /^cs_[\w-]{24}$/],
])('a character of %s is changed to another of its alphabet', (known, form) => {
  const changed = nearMisses(known, seededRandom(1, known)).filter(
    ({ what }) => what.endsWith('changed') || what.startsWith('one'),
  );
  expect(changed).toHaveLength(2);
  for (const { value } of changed) expect(value).toMatch(form);
});

test('no near miss of a number is another number', () => {
  for (const { value } of nearMisses('1001', () => 0.5)) expect(value).toMatch(/[a-z]$/);
});

test.each([
  ['LINEN-shirt', 'linen-shirt'],
  [' linen-shirt\t', 'linen-shirt'],
  ['+linen-shiRt', 'linen-shirt'],
  ['linen+shirt', 'linen shirt'],
  ['cafe\u0301', 'café'],
  ['4C9D2A510B7E4F669A3D2F5B8C1E7D90', '4c9d2a51-0b7e-4f66-9a3d-2f5b8c1e7d90'],
])('%j is another spelling of %j', (value, known) => {
  expect(isSpelling(value, known)).toBe(true);
});

test.each([
  ['linen_shirt', 'linen-shirt'],
  ['linen-shirt\0', 'linen-shirt\0x'],
  ["linen-shirt'", 'linen-shirt'],
  ['café', 'cafe'],
  ['linen+shirt', 'linen-shirt'],
])('%j is no other spelling of %j', (value, known) => {
  expect(isSpelling(value, known)).toBe(false);
});
