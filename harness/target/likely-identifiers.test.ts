import { describe, expect, it } from 'vitest';
import { likelyIdentifiers, searchWords } from './likely-identifiers.ts';

describe('likelyIdentifiers', () => {
  it('finds slugs of products in a plain listing', () => {
    const body = {
      items: [
        { slug: 'linen-shirt', name: 'Linen' },
        { slug: 'wool-scarf', name: 'Wool' },
      ],
    };
    expect(likelyIdentifiers(body, 'product').slice(0, 2)).toEqual(['linen-shirt', 'wool-scarf']);
  });

  it('finds the merchant by name, as a text or as an object', () => {
    expect(likelyIdentifiers([{ merchant: 'nord' }], 'merchant')).toEqual(['nord']);
    expect(likelyIdentifiers([{ merchant: { slug: 'nord', name: 'Nord' } }], 'merchant')).toEqual([
      'nord',
      'Nord',
    ]);
    expect(likelyIdentifiers([{ seller_id: 17 }], 'merchant')).toEqual(['17']);
    expect(likelyIdentifiers({ stores: [{ handle: 'nord' }] }, 'merchant')).toEqual(['nord']);
  });

  it('does not take what belongs to a merchant for a product', () => {
    expect(likelyIdentifiers({ merchant: { slug: 'nord' } }, 'product')).toEqual([]);
  });

  it('takes what looks like a slug for a product, whatever it is called, after all else', () => {
    const listed = [{ path: 'linen-shirt', shelf: 'clothing', shop: 'atelier-nord', called: 'Linen shirt' }];
    expect(likelyIdentifiers(listed, 'product')).toEqual(['linen-shirt']);
    expect(likelyIdentifiers([{ path: 'linen-shirt', id: 'p1' }], 'product')).toEqual(['p1', 'linen-shirt']);
    expect(likelyIdentifiers([{ path: 'linen-shirt' }], 'merchant')).toEqual([]);
  });

  it('does not take what belongs to a product for a merchant', () => {
    expect(likelyIdentifiers({ items: [{ slug: 'linen-shirt' }] }, 'merchant')).toEqual([]);
  });

  it('puts an outspoken name first, then slugs, then ids, then names; categories last', () => {
    const body = {
      categories: [{ slug: 'clothing' }],
      items: [{ name: 'Linen', id: 7, slug: 'linen-shirt', productCode: 'P-7' }],
    };
    expect(likelyIdentifiers(body, 'product')).toEqual(['P-7', 'linen-shirt', '7', 'Linen', 'clothing']);
  });

  it.each(['café-lumière', '東京-paper', 'a', '7', 'A.b_c~d-e', `a${'b'.repeat(127)}`])(
    'takes %s',
    (slug) => {
      expect(likelyIdentifiers([{ slug }], 'product')).toEqual([slug]);
    },
  );

  it.each([
    '',
    ' ',
    'two words',
    '../x',
    '-a',
    'a/b',
    'a%20b',
    '😀',
    '\ud800',
    'https://x.example',
    `a${'b'.repeat(128)}`,
  ])('does not take %j', (slug) => {
    expect(likelyIdentifiers([{ slug }], 'product')).toEqual([]);
  });

  it.each([1.5, 1e21, true, null, {}, []])('does not take %j for an id', (id) => {
    expect(likelyIdentifiers([{ id }], 'product')).toEqual([]);
  });

  it('says each value once', () => {
    expect(likelyIdentifiers([{ slug: 'a' }, { slug: 'a' }], 'product')).toEqual(['a']);
  });

  it.each([undefined, null, 'text', 7, {}, []])('finds nothing in %j', (body) => {
    expect(likelyIdentifiers(body, 'product')).toEqual([]);
  });

  it('bears any depth', () => {
    const body: unknown = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    expect(likelyIdentifiers(body, 'product')).toEqual([]);
  });
});

describe('searchWords', () => {
  it.each([
    ['a word of each name', [{ name: 'Linen shirt' }, { title: 'A Wool scarf' }], ['Linen', 'Wool']],
    ['names in several languages', { items: [{ name: { de: 'Wäsche', en: 'Linen' } }] }, ['Wäsche', 'Linen']],
    ['identifiers where there is no name', [{ slug: 'linen-shirt' }], ['linen']],
    ['no names of stores', [{ store: { name: 'Nord' }, title: 'Linen' }], ['Linen']],
    ['nothing in a text', 'Linen shirt', []],
  ])('takes %s', (_name, body, words) => {
    expect(searchWords(body).slice(0, 2)).toEqual(words);
  });
});
