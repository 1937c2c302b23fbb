import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { type Examples, example } from '../examples-for-tests.ts';

const known = named('valid 200', 'linen-shirt', 'linen-shirt');
const standIn = (status: number): Exchange => named(`standIn ${status}`, 'kwkas-jtjkz');
const bare = (status: number): Exchange => named(`bare ${status}`, 'kwkas-jtjkz', '', { slug: 'unknown' });
const beside = (status: number, shown?: string): Exchange => named(`beside ${status}`, 'linen-shirt', shown);

export const examples: Examples = {
  operation: exampleOperation({ id: 'getPublicProduct', auth: 'none', pathParameters: ['slug'] }),
  passes: {
    'the path decides': [known, standIn(404), beside(200, 'linen-shirt')],
    'the query is refused': [known, standIn(404), beside(400)],
  },
  violates: {
    'found by the query': [known, standIn(200), bare(404)],
    'lost by a cookie': [known, standIn(404), beside(404)],
    'the product of the query': [known, standIn(404), beside(200, 'oxford-shirt')],
  },
  inconclusive: {
    'nothing valid': [{ ...known, step: 'standIn' }],
    'only server errors': [known, standIn(503)],
  },
  notApplicable: { 'an empty list for any store': [known, standIn(200), bare(200)] },
};

function named(
  words: string,
  value: string,
  slug = '',
  row: Exchange['row'] = { slug: 'elsewhere', places: ['query', 'cookie'] },
): Exchange {
  const source = words.startsWith('valid') ? 'target-file' : 'generated';
  return example(words, { json: { slug }, row, values: { slug: { value, source } } });
}
