import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const operation = exampleOperation({ path: '/products/{slug}', pathParameters: ['slug'] });
const valid = read('valid', 'a');
const listing = listed('listing');

export const examples: Examples = {
  operation,
  passes: { found: [valid, listing, read('listed', 'b')] },
  violates: {
    'still listed, and not found': [
      valid,
      listing,
      read('listed', 'b', 404),
      listed('listingAgain'),
      read('listedAgain', 'b', 404),
    ],
    'another one': [valid, listing, read('listed', 'b', 200, 'c')],
  },
  inconclusive: {
    'no valid call': [read('valid', 'a', 404)],
    'no listing': [valid, listed('listing', 500)],
    'found the second time': [
      valid,
      listing,
      read('listed', 'b', 404),
      listed('listingAgain'),
      read('listedAgain', 'b'),
    ],
    'no longer listed': [
      valid,
      listing,
      read('listed', 'x', 404),
      listed('listingAgain'),
      read('listedAgain', 'x', 404),
    ],
  },
  notApplicable: {
    'nothing is listed': [valid],
    'nothing else is listed': [valid, listing],
  },
};

function read(step: string, slug: string, status = 200, shown = slug): Exchange {
  const values = { slug: { value: slug, source: 'target-file' } } as const;
  const [body, request] = [JSON.stringify({ slug: shown }), { path: `/products/${slug}` }];
  return exampleExchange({ operation: operation.id, step, status, body, values, request });
}

function listed(step: string, status = 200): Exchange {
  const body = JSON.stringify({ items: [{ slug: 'a' }, { slug: 'b' }] });
  return exampleExchange({ operation: 'listExamples', step, status, body });
}
