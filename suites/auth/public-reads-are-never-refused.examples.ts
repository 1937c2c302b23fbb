import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import { example, type PassiveExamples } from '../examples-for-tests.ts';

const values = { slug: { value: '%2e%2e', source: 'generated' } } as const;

export const examples: PassiveExamples = {
  operation: exampleOperation({ auth: 'none', pathParameters: ['slug'] }),
  passes: { '200': '200 none', '404': '404 none' },
  violates: { '401': '401 none' },
  ignores: {
    'a key that it does not need': '401 invalid',
    'a path that may lead to another operation': example('401 none', {
      values,
      request: { path: '/catalog/products/%2e%2e' },
    }),
    'a cookie, which may be an expired credential': example('401 none', {
      values,
      request: { headers: [['cookie', 'session=abc']] },
    }),
    'no answer': 'none',
  },
};
