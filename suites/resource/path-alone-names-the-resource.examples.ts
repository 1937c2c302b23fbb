import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const known = named('valid', 'linen-shirt', 200, 'linen-shirt');
const standIn = (status: number): Exchange => named('standIn', 'kwkas-jtjkz', status);
const bare = (status: number): Exchange => ({
  ...named('bare', 'kwkas-jtjkz', status),
  row: { slug: 'unknown' },
});
const beside = (status: number, shown?: string): Exchange => named('beside', 'linen-shirt', status, shown);

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

function named(step: string, value: string, status: number, slug = ''): Exchange {
  return exampleExchange({
    step,
    status,
    body: JSON.stringify({ slug }),
    row: { slug: 'elsewhere', places: ['query', 'cookie'] },
    values: { slug: { value, source: step === 'valid' ? 'target-file' : 'generated' } },
  });
}
