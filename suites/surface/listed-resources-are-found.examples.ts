import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { type Examples, example } from '../examples-for-tests.ts';

const operation = exampleOperation({ path: '/products/{slug}', pathParameters: ['slug'] });
const valid = read('valid 200', 'a');
const listing = listed('listing 200');
const [lost, listedAgain] = [read('listed 404', 'b'), listed('listingAgain 200')];

export const examples: Examples = {
  operation,
  passes: { found: [valid, listing, read('listed 200', 'b')] },
  violates: {
    'still listed, and not found': [valid, listing, lost, listedAgain, read('listedAgain 404', 'b')],
    'another one': [valid, listing, read('listed 200', 'b', 'c')],
  },
  inconclusive: {
    'no valid call': [read('valid 404', 'a')],
    'no listing': [valid, listed('listing 500')],
    'found the second time': [valid, listing, lost, listedAgain, read('listedAgain 200', 'b')],
    'no longer listed': [valid, listing, read('listed 404', 'x'), listedAgain, read('listedAgain 404', 'x')],
  },
  notApplicable: { 'nothing is listed': [valid], 'nothing else is listed': [valid, listing] },
};

function read(words: string, slug: string, shown = slug): Exchange {
  const values = { slug: { value: slug, source: 'target-file' } } as const;
  const request = { path: `/products/${slug}` };
  return example(words, { operation: operation.id, json: { slug: shown }, values, request });
}

function listed(words: string): Exchange {
  return example(words, { operation: 'listExamples', json: { items: [{ slug: 'a' }, { slug: 'b' }] } });
}
