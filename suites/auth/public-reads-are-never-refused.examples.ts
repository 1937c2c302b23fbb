import { type ExampleParts, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { PassiveExamples } from '../examples-for-tests.ts';

const refused: ExampleParts = {
  status: 401,
  credential: 'none',
  values: { slug: { value: '%2e%2e', source: 'generated' } },
};

export const examples: PassiveExamples = {
  operation: exampleOperation({ auth: 'none', pathParameters: ['slug'] }),
  passes: {
    '200': { status: 200, credential: 'none' },
    '404': { status: 404, credential: 'none' },
  },
  violates: { '401': { status: 401, credential: 'none' } },
  ignores: {
    'a key that it does not need': { status: 401, credential: 'invalid' },
    'a path that may lead to another operation': {
      ...refused,
      request: { path: '/catalog/products/%2e%2e' },
    },
    'a cookie, which may be an expired credential': {
      ...refused,
      request: { headers: [['cookie', 'session=abc']] },
    },
    'no answer': { credential: 'none' },
  },
};
