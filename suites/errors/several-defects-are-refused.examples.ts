import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

export const examples: Examples = {
  operation: exampleOperation({ pathParameters: ['slug'] }),
  passes: {
    'the key is refused first': ['defective 401'],
    'the resource is refused first': ['defective 404'],
    'instances that refuse in different orders': ['defective 401', 'defective 404', 'defective 400'],
  },
  violates: { '500': ['defective 401', 'defective 500'], '422': ['defective 422'], '200': ['defective 200'] },
  inconclusive: { 'no answer': ['defective'], 'nothing was sent': [] },
};
