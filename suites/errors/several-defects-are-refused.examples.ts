import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const operation = exampleOperation({ pathParameters: ['slug'] });

/** Examples of errors/several-defects-are-refused. */
export const examples: Examples = {
  passes: [
    { name: 'the key is refused first', given: { operation, exchanges: [defective(401)] } },
    { name: 'the resource is refused first', given: { operation, exchanges: [defective(404)] } },
    {
      name: 'instances that refuse in different orders',
      given: { operation, exchanges: [defective(401), defective(404), defective(400)] },
    },
  ],
  violates: [
    { name: '500', given: { operation, exchanges: [defective(401), defective(500)] } },
    { name: '422', given: { operation, exchanges: [defective(422)] } },
    { name: '200', given: { operation, exchanges: [defective(200)] } },
  ],
  inconclusive: [
    { name: 'no answer', given: { operation, exchanges: [exampleExchange({ step: 'defective' })] } },
    { name: 'nothing was sent', given: { operation, exchanges: [] } },
  ],
};

function defective(status: number): Exchange {
  return exampleExchange({ step: 'defective', row: { credential: 'none', slug: 'unknown' }, status });
}
