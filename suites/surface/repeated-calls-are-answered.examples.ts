import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const operation = exampleOperation();

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

/** Examples of surface/repeated-calls-are-answered. */
export const examples: Examples = {
  passes: [
    {
      name: 'a resource that is shown under the name of another one',
      given: {
        operation: product,
        exchanges: [
          read('before', 'a'),
          read('other', 'b', 'c'),
          read('inCrowd', 'a'),
          read('otherInCrowd', 'b', 'c'),
        ],
      },
    },
    { name: 'always 200', given: { operation, exchanges: [served, served] } },
    {
      name: 'a connection that is closed after a refusal',
      given: { operation, exchanges: [served, exampleExchange({ step: 'afterRefused', failure: 'reset' })] },
    },
  ],
  violates: [
    {
      name: 'shows what another call asks for',
      given: {
        operation: product,
        exchanges: [
          read('before', 'a'),
          read('other', 'b'),
          read('inCrowd', 'a', 'b'),
          read('otherInCrowd', 'b'),
        ],
      },
    },
    {
      name: 'once 404',
      given: { operation, exchanges: [served, exampleExchange({ step: 'inCrowd', status: 404 })] },
    },
    {
      name: 'refused on the connection of a refused call',
      given: { operation, exchanges: [served, exampleExchange({ step: 'afterRefused', status: 403 })] },
    },
    {
      name: 'nothing is found on the connection of a call that found nothing',
      given: { operation, exchanges: [served, exampleExchange({ step: 'afterMiss', status: 404 })] },
    },
    {
      name: 'cut off once',
      given: { operation, exchanges: [served, exampleExchange({ step: 'inCrowd', failure: 'reset' })] },
    },
    {
      name: 'a call that finds nothing is cut off',
      given: { operation, exchanges: [served, exampleExchange({ step: 'unknown', failure: 'reset' })] },
    },
    {
      name: 'a stranger beside it is cut off',
      given: { operation, exchanges: [served, exampleExchange({ step: 'stranger', failure: 'reset' })] },
    },
  ],
  inconclusive: [
    {
      name: 'never 200',
      given: { operation, exchanges: [exampleExchange({ step: 'inCrowd', status: 404 })] },
    },
  ],
};
