import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { type Examples, example } from '../examples-for-tests.ts';

const product = exampleOperation({ path: '/products/{slug}', pathParameters: ['slug'] });

function read(step: string, slug: string, shown = slug): Exchange {
  return example(`${step} 200`, {
    json: { slug: shown },
    values: { slug: { value: slug, source: 'generated' } },
    ...(slug === 'b' && { row: { 'listed resource': slug } }),
  });
}

const page = (call: string): Exchange => example(call, { body: '<html>Forbidden</html>' });

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
    'always 200': ['inCrowd 200', 'inCrowd 200'],
    'blocked by a limiter in front': ['inCrowd 200', page('inCrowd 403')],
    'a connection that is closed after a refusal': ['inCrowd 200', 'afterRefused reset'],
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
    'once 404': ['inCrowd 200', 'inCrowd 404'],
    'refused on the connection of a refused call': ['inCrowd 200', 'afterRefused 403'],
    'nothing is found on the connection of a call that found nothing': ['inCrowd 200', 'afterMiss 404'],
    'cut off once': ['inCrowd 200', 'inCrowd reset'],
    'a call that finds nothing is cut off': ['inCrowd 200', 'unknown reset'],
    'a stranger beside it is cut off': ['inCrowd 200', 'stranger reset'],
  },
  inconclusive: {
    'never 200': ['inCrowd 404'],
    'always blocked': ['before 200', page('inCrowd 403'), page('inCrowd 403')],
  },
};
