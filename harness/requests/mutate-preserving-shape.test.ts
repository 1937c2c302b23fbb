import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../seeded-random.ts';
import { hasOpenShape, mutatePreservingShape, unknownLike } from './mutate-preserving-shape.ts';

const uuid = '1f0e4b9c-7c52-4b1d-9a86-0d6f5a2b7c33';
const ulid = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

function changed(value: string, seed = 1, keep?: number): string {
  return mutatePreservingShape(value, seededRandom(seed, value), keep);
}

const slug = fc.stringMatching(/^[a-z0-9]{1,12}(-[a-z0-9]{1,12}){0,3}$/);
const seeds = fc.nat();

describe('mutatePreservingShape', () => {
  it.each([
    ['atelier-nord', /^[a-z]{7}-[a-z]{4}$/],
    ['P-42/b.C_7', /^[A-Z]-[0-9]{2}\/[a-z]\.[A-Z]_[0-9]$/],
    ['cs_9fK2aQ', /^[a-z]{2}_[0-9][a-f][A-Z][0-9][a-f][A-Z]$/],
    [uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-9[0-9a-f]{3}-[0-9a-f]{12}$/],
    [uuid.toUpperCase(), /^[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-9[0-9A-F]{3}-[0-9A-F]{12}$/],
    [ulid, /^0[0-9A-Z]{25}$/],
    ['café-lumière', /^[a-z]{3}é-[a-z]{4}è[a-z]{2}$/],
    ['東京-paper', /^東京-[a-z]{5}$/],
    ['😀-shop', /^😀-[a-z]{4}$/u],
    ['1042', /^[0-9]{4}$/],
    [`cs_${uuid}`, /^[a-z]{2}_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-9[0-9a-f]{3}-[0-9a-f]{12}$/],
  ])('keeps the shape of %s', (value, shape) => {
    expect(changed(value)).toMatch(shape);
    expect(changed(value)).not.toBe(value);
  });

  it('exchanges every letter and digit', () => {
    const value = 'abcdefghijkmnpqrstuvwxyzABCDEFGHIJKLMNPQRSTUVWXYZ0123456789';
    const other = changed(value);
    for (const [at, character] of [...value].entries()) expect(other[at]).not.toBe(character);
  });

  it('keeps what there is nothing to exchange for', () => {
    expect(changed('')).toBe('');
    expect(changed('東京')).toBe('東京');
    expect(changed('--')).toBe('--');
  });

  it('keeps a beginning that it is told to', () => {
    expect(changed('sk_live_abc', 1, 8)).toMatch(/^sk_live_/);
    expect(changed('sk_live_abc', 1, 8)).not.toBe('sk_live_abc');
  });

  it('gives the same for the same random numbers, and others for others', () => {
    expect(changed(uuid, 7)).toBe(changed(uuid, 7));
    expect(changed(uuid, 7)).not.toBe(changed(uuid, 8));
  });

  it('gives another value of the same length and open shape', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          slug.filter((one) => /[a-z]/.test(one)),
          fc.uuid(),
        ),
        seeds,
        (value, seed) => {
          const other = changed(value, seed);
          expect(other).not.toBe(value);
          expect(other).toHaveLength(value.length);
          expect(hasOpenShape(other)).toBe(hasOpenShape(value));
        },
      ),
    );
  });

  it('changes nothing but ASCII letters and digits, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), seeds, (value, seed) => {
        const other = changed(value, seed);
        expect(other).toHaveLength(value.length);
        const rest = (text: string): string => text.replaceAll(/[A-Za-z0-9]/g, '');
        expect(rest(other)).toBe(rest(value));
        expect(other === value).toBe(rest(value) === value);
      }),
    );
  });

  it('keeps a UUID one that every reader takes', () => {
    fc.assert(
      fc.property(fc.uuid(), seeds, (value, seed) => {
        const other = changed(value, seed);
        expect([other[14], other[19]]).toEqual([value[14], value[19]]);
      }),
    );
  });

  // Crockford's base 32 has no I, L, O and U: a ULID with one of them is malformed, and a conforming service may answer it with 400.
  it('keeps a ULID one that every reader takes', () => {
    fc.assert(
      fc.property(fc.ulid(), seeds, (value, seed) => {
        expect(changed(value, seed)).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
      }),
    );
  });

  it('keeps a number without leading zeros one without', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1 }), seeds, (value, seed) => {
        expect(changed(String(value), seed)).toMatch(/^[1-9]/);
      }),
    );
  });
});

describe('hasOpenShape', () => {
  it.each([
    uuid,
    uuid.toUpperCase(),
    ulid,
    ulid.toLowerCase(),
    '7',
    '1042',
    'linen-shirt',
    'a',
    'p2-x',
    'a'.repeat(64),
  ])('is said of %s', (value) => {
    expect(hasOpenShape(value)).toBe(true);
  });

  it.each([
    '',
    'Linen-Shirt',
    'linen_shirt',
    'linen--shirt',
    '-linen',
    'linen-',
    'café',
    '東京-paper',
    'cs_9fK2aQ',
    'a.b',
    'a b',
    'a/b',
    'a'.repeat(65),
    '-1',
    '1.5',
  ])('is not said of %j', (value) => {
    expect(hasOpenShape(value)).toBe(false);
  });

  // The last digit of these is computed from the others: nearly all numbers in their shape are malformed.
  it.each(['4006381333931', '73513537', '036000291452', '9780306406157'])(
    'is not said of the article number %s',
    (value) => {
      expect(hasOpenShape(value)).toBe(false);
    },
  );
});

describe('unknownLike', () => {
  it.each([
    ['cs_1HvM_hiVLE0nxsyE9xViSej4', /^cs_.{24}$/],
    ['cs_test_a1B2c3D4e5F6g7H8', /^cs_test_.{16}$/],
    ['linen-shirt', /^(?!linen)[a-z]{5}-[a-z]{5}$/],
    ['abcdefab-7c52-4b1d-9a86-0d6f5a2b7c33', /^(?!abcdefab).{36}$/],
  ])('keeps the prefix of %s where it is one', (known, form) => {
    expect(unknownLike(known, seededRandom(1, known))).toMatch(form);
  });
});
