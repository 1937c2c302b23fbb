import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const product = exampleOperation({ id: 'getPublicProduct', auth: 'none', pathParameters: ['slug'] });

const below = exampleOperation({ id: 'getProduct', auth: 'none', pathParameters: ['store', 'slug'] });

const unknownBoth = { ...unknown(404), row: { store: 'unknown', slug: 'unknown' } };

const control = exampleExchange({
  step: 'valid',
  status: 200,
  values: { slug: { value: 'linen-shirt', source: 'target-file' } },
});

const shown = exampleExchange({
  step: 'valid',
  status: 200,
  values: { slug: { value: 'linen-shirt', source: 'target-file' } },
  body: '{"slug":"linen-shirt"}',
});

/** Examples of resource/unknown-resource-is-not-found. */
export const examples: Examples = {
  passes: [
    {
      name: 'a product has the name of the store',
      given: { operation: product, exchanges: [shown, unknown(404), otherKind('acme')] },
    },
    {
      name: 'a product of another store has a namesake in the known one',
      given: {
        operation: below,
        exchanges: [belowStore('linen-shirt'), unknownBoth, belowStore('moka-pot')],
      },
    },
    { name: '404', given: { operation: product, exchanges: [control, unknown(404)] } },
    { name: '404 for a near miss', given: { operation: product, exchanges: [control, nearMiss(404)] } },
    {
      name: '400 for one, 404 for another',
      given: { operation: product, exchanges: [control, unknown(400), unknown(404)] },
    },
  ],
  violates: [
    {
      name: 'a store is found as a product',
      given: { operation: product, exchanges: [shown, unknown(404), otherKind('linen-shirt')] },
    },
    {
      name: 'a product of another store is found below the known one',
      given: {
        operation: below,
        exchanges: [belowStore('linen-shirt'), unknownBoth, belowStore('moka-pot', 'café')],
      },
    },
    { name: '200', given: { operation: product, exchanges: [control, unknown(200)] } },
    { name: '500', given: { operation: product, exchanges: [control, unknown(500)] } },
    { name: '403', given: { operation: product, exchanges: [control, unknown(403)] } },
    { name: '400 for every plain slug', given: { operation: product, exchanges: [control, unknown(400)] } },
  ],
  inconclusive: [
    {
      name: '400 for every id that may carry a checksum',
      given: {
        operation: product,
        exchanges: [
          exampleExchange({
            step: 'valid',
            status: 200,
            values: { slug: { value: 'cs_9fK2.aQ', source: 'target-file' } },
          }),
          unknown(400),
        ],
      },
    },
    {
      name: '404 for the known value too',
      given: {
        operation: product,
        exchanges: [exampleExchange({ step: 'valid', status: 404 }), unknown(404)],
      },
    },
  ],
};

function belowStore(slug: string, merchant = 'acme'): Exchange {
  const isKnown = slug === 'linen-shirt';
  return exampleExchange({
    ...(isKnown ? { step: 'valid' } : { step: 'otherKind', row: { slug: 'of-store-1' } }),
    status: 200,
    values: {
      store: { value: 'acme', source: 'target-file' },
      slug: { value: slug, source: isKnown ? 'target-file' : 'generated' },
    },
    body: JSON.stringify({ slug, merchant }),
  });
}

function nearMiss(status: number): Exchange {
  const slug = { value: 'linen-shjrt', source: 'generated' } as const;
  return exampleExchange({
    step: 'nearMiss',
    row: { slug: 'one character changed in the middle' },
    status,
    values: { slug },
  });
}

function unknown(status: number): Exchange {
  const slug = { value: 'kwkas-jtjkz', source: 'generated' } as const;
  return exampleExchange({ step: 'unknown', row: { slug: 'unknown' }, status, values: { slug } });
}

function otherKind(shown: string): Exchange {
  return exampleExchange({
    step: 'otherKind',
    row: { slug: 'merchant-as-product' },
    status: 200,
    values: { slug: { value: 'acme', source: 'generated' } },
    body: JSON.stringify({ slug: shown }),
  });
}
