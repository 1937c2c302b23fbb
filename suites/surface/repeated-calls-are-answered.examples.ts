import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const served = exampleExchange({ step: 'inCrowd', status: 200 });

const product = exampleOperation({ path: '/products/{slug}', pathParameters: ['slug'] });

function read(step: string, slug: string, shown = slug): Exchange {
  return exampleExchange({
    step,
    status: 200,
    body: JSON.stringify({ slug: shown }),
    values: { slug: { value: slug, source: 'generated' } },
    ...(slug === 'b' && { row: { 'listed resource': slug } }),
  });
}

export const examples: Examples = {
  passes: {
    'a resource that is shown under the name of another one': {
      operation: product,
      exchanges: [
        read('before', 'a'),
        read('other', 'b', 'c'),
        read('inCrowd', 'a'),
        read('otherInCrowd', 'b', 'c'),
      ],
    },
    'always 200': [served, served],
    'a connection that is closed after a refusal': [served, { step: 'afterRefused', failure: 'reset' }],
  },
  violates: {
    'shows what another call asks for': {
      operation: product,
      exchanges: [
        read('before', 'a'),
        read('other', 'b'),
        read('inCrowd', 'a', 'b'),
        read('otherInCrowd', 'b'),
      ],
    },
    'once 404': [served, { step: 'inCrowd', status: 404 }],
    'refused on the connection of a refused call': [served, { step: 'afterRefused', status: 403 }],
    'nothing is found on the connection of a call that found nothing': [
      served,
      { step: 'afterMiss', status: 404 },
    ],
    'cut off once': [served, { step: 'inCrowd', failure: 'reset' }],
    'a call that finds nothing is cut off': [served, { step: 'unknown', failure: 'reset' }],
    'a stranger beside it is cut off': [served, { step: 'stranger', failure: 'reset' }],
  },
  inconclusive: { 'never 200': [{ step: 'inCrowd', status: 404 }] },
};
