import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

export const examples: Examples = {
  operation: exampleOperation({ pathParameters: ['slug'] }),
  passes: {
    'the key is refused first': [defective(401)],
    'the resource is refused first': [defective(404)],
    'instances that refuse in different orders': [defective(401), defective(404), defective(400)],
  },
  violates: {
    '500': [defective(401), defective(500)],
    '422': [defective(422)],
    '200': [defective(200)],
  },
  inconclusive: {
    'no answer': [{ step: 'defective' }],
    'nothing was sent': [],
  },
};

function defective(status: number): Exchange {
  return exampleExchange({ step: 'defective', row: { credential: 'none', slug: 'unknown' }, status });
}
