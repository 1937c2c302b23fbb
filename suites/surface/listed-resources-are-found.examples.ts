import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const operation = exampleOperation({ path: '/products/{slug}', pathParameters: ['slug'] });
const valid = read('valid', 'a');
const listing = listed('listing');

/** Examples of surface/listed-resources-are-found. */
export const examples: Examples = {
  passes: [{ name: 'found', given: { operation, exchanges: [valid, listing, read('listed', 'b')] } }],
  violates: [
    {
      name: 'still listed, and not found',
      given: {
        operation,
        exchanges: [
          valid,
          listing,
          read('listed', 'b', 404),
          listed('listingAgain'),
          read('listedAgain', 'b', 404),
        ],
      },
    },
    {
      name: 'another one',
      given: { operation, exchanges: [valid, listing, read('listed', 'b', 200, 'c')] },
    },
  ],
  inconclusive: [
    { name: 'no valid call', given: { operation, exchanges: [read('valid', 'a', 404)] } },
    { name: 'no listing', given: { operation, exchanges: [valid, listed('listing', 500)] } },
    {
      name: 'found the second time',
      given: {
        operation,
        exchanges: [
          valid,
          listing,
          read('listed', 'b', 404),
          listed('listingAgain'),
          read('listedAgain', 'b'),
        ],
      },
    },
    {
      name: 'no longer listed',
      given: {
        operation,
        exchanges: [
          valid,
          listing,
          read('listed', 'x', 404),
          listed('listingAgain'),
          read('listedAgain', 'x', 404),
        ],
      },
    },
  ],
  notApplicable: [
    { name: 'nothing is listed', given: { operation, exchanges: [valid] } },
    { name: 'nothing else is listed', given: { operation, exchanges: [valid, listing] } },
  ],
};

function read(step: string, slug: string, status = 200, shown = slug): Exchange {
  const values = { slug: { value: slug, source: 'target-file' } } as const;
  const exchange = exampleExchange({
    operation: operation.id,
    step,
    status,
    body: JSON.stringify({ slug: shown }),
    values,
  });
  return { ...exchange, request: { ...exchange.request, path: `/products/${slug}` } };
}

function listed(step: string, status = 200): Exchange {
  const body = JSON.stringify({ items: [{ slug: 'a' }, { slug: 'b' }] });
  return exampleExchange({ operation: 'listExamples', step, status, body });
}
