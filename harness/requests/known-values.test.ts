import { describe, expect, it } from 'vitest';
import { Contract } from '../../spec/contract.ts';
import { exampleOperation } from '../checks/example-exchange.ts';
import type { Target } from '../model/target.ts';
import { targetFromParts } from '../target/target-description.ts';
import { KnownValues } from './known-values.ts';

const product = exampleOperation({
  id: 'readProduct',
  path: '/products/{slug}',
  pathParameters: ['slug'],
  parameterKinds: { slug: 'product' },
});
const merchant = exampleOperation({
  id: 'readMerchant',
  path: '/merchants/{slug}',
  pathParameters: ['slug'],
  parameterKinds: { slug: 'merchant' },
});
const config = exampleOperation({
  id: 'readConfig',
  path: '/store-access/{store}/config',
  pathParameters: ['store'],
  parameterKinds: { store: 'merchant' },
});
const both = exampleOperation({
  id: 'readMerchantProduct',
  path: '/merchants/{merchantSlug}/products/{productSlug}',
  pathParameters: ['merchantSlug', 'productSlug'],
  parameterKinds: { merchantSlug: 'merchant', productSlug: 'product' },
});
const contract = new Contract({ digest: 'sha256:', operations: [product, merchant, config, both] });

function knownOf(
  parameters: Target['parameters'],
  operationParameters: Target['operationParameters'] = {},
): KnownValues {
  return new KnownValues(
    { ...targetFromParts({ baseUrl: 'http://h' }), parameters, operationParameters },
    contract,
  );
}

describe('KnownValues', () => {
  it('takes what is given for the operation, and nothing else', () => {
    const known = knownOf({ slug: 'a', productSlug: 'b' }, { readProduct: { slug: 'own' } });
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
