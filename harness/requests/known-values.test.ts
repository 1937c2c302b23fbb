import { describe, expect, it } from 'vitest';
import { exampleOperation } from '../checks/example-exchange.ts';
import type { Target } from '../model/target.ts';
import { targetFromParts } from '../target/target-from-parts.ts';
import { KnownValues } from './known-values.ts';

const product = exampleOperation({
  id: 'getPublicProduct',
  path: '/api/v1/catalog/products/{slug}',
  pathParameters: ['slug'],
});
const merchant = exampleOperation({
  id: 'getPublicMerchantProfile',
  path: '/api/v1/catalog/merchants/{slug}',
  pathParameters: ['slug'],
});
const config = exampleOperation({
  id: 'getPublicStoreSecurityConfig',
  path: '/api/v1/public/store-access/{store}/config',
  pathParameters: ['store'],
});

function knownOf(
  parameters: Target['parameters'],
  operationParameters: Target['operationParameters'] = {},
): KnownValues {
  return new KnownValues({ ...targetFromParts({ baseUrl: 'http://h' }), parameters, operationParameters });
}

describe('KnownValues', () => {
  it('takes what is given for the operation, and nothing else', () => {
    const known = knownOf({ slug: 'a', productSlug: 'b' }, { getPublicProduct: { slug: 'own' } });
    expect(known.candidates(product, 'slug')).toEqual(['own']);
    expect(known.candidates(merchant, 'slug')).toEqual(['a']);
  });

  it.each([
    ['the slug of a product', product, 'slug', ['s', 'p']],
    ['the slug of a merchant', merchant, 'slug', ['s', 'm', 'st']],
    ['the store', config, 'store', ['st', 'm']],
  ])('takes for %s what means the same', (_what, operation, name, expected) => {
    const known = knownOf({ slug: 's', productSlug: 'p', merchantSlug: 'm', store: 'st' });
    expect([...known.candidates(operation, name)].sort()).toEqual([...expected].sort());
  });

  // The doc comment: "first by the name of the resource, then by the parameter's name alone".
  it('takes the name of the resource before the name of the parameter', () => {
    const known = knownOf({ slug: 'nord', productSlug: 'linen-shirt' });
    expect(known.candidates(product, 'slug')).toEqual(['linen-shirt', 'nord']);
  });

  it('says each candidate once, and none where none is known', () => {
    expect(knownOf({ slug: 'a', merchantSlug: 'a', store: 'a' }).candidates(merchant, 'slug')).toEqual(['a']);
    expect(knownOf({}).candidates(product, 'slug')).toEqual([]);
    expect(knownOf({}).value(product, 'slug')).toBeUndefined();
  });

  it('uses the first candidate until another is settled, for this operation alone', () => {
    const known = knownOf({ slug: 'a' });
    expect(known.value(product, 'slug')).toEqual({ value: 'a', source: 'target-file' });
    known.settle(product, 'slug', { value: 'b', source: 'discovered' });
    expect(known.value(product, 'slug')).toEqual({ value: 'b', source: 'discovered' });
    expect(known.value(merchant, 'slug')).toEqual({ value: 'a', source: 'target-file' });
  });
});
