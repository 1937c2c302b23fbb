import {
  type ExampleParts,
  exampleExchange,
  exampleOperation,
} from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const below = exampleOperation({ id: 'getProduct', auth: 'none', pathParameters: ['store', 'slug'] });

const unknownBoth = { ...unknown(404), row: { store: 'unknown', slug: 'unknown' } };

const known: ExampleParts = {
  step: 'valid',
  status: 200,
  values: { slug: { value: 'linen-shirt', source: 'target-file' } },
};
const control = exampleExchange(known);

const shown = exampleExchange({ ...known, body: '{"slug":"linen-shirt"}' });

export const examples: Examples = {
  operation: exampleOperation({ id: 'getPublicProduct', auth: 'none', pathParameters: ['slug'] }),
  passes: {
    'a product has the name of the store': [shown, unknown(404), otherKind('acme')],
    'a product of another store has a namesake in the known one': {
      operation: below,
      exchanges: [belowStore('linen-shirt'), unknownBoth, belowStore('moka-pot')],
    },
    '404': [control, unknown(404)],
    '404 for a near miss': [control, nearMiss(404)],
    '400 for one, 404 for another': [control, unknown(400), unknown(404)],
  },
  violates: {
    'a store is found as a product': [shown, unknown(404), otherKind('linen-shirt')],
    'a product of another store is found below the known one': {
      operation: below,
      exchanges: [belowStore('linen-shirt'), unknownBoth, belowStore('moka-pot', 'café')],
    },
    '200': [control, unknown(200)],
    '500': [control, unknown(500)],
    '403': [control, unknown(403)],
    '400 for every plain slug': [control, unknown(400)],
  },
  inconclusive: {
    '400 for every id that may carry a checksum': [
      { step: 'valid', status: 200, values: { slug: { value: 'cs_9fK2.aQ', source: 'target-file' } } },
      unknown(400),
    ],
    '404 for the known value too': [{ step: 'valid', status: 404 }, unknown(404)],
  },
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
