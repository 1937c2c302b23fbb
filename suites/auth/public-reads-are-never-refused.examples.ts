import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { PassiveExamples } from '../examples-for-tests.ts';

const refused = exampleExchange({
  status: 401,
  credential: 'none',
  values: { slug: { value: '%2e%2e', source: 'generated' } },
});
const elsewhere = { ...refused, request: { ...refused.request, path: '/catalog/products/%2e%2e' } };
const withCookie = {
  ...refused,
  request: { ...refused.request, headers: [['cookie', 'session=abc'] as const] },
};

/** Examples of auth/public-reads-are-never-refused. */
export const examples: PassiveExamples = {
  operation: exampleOperation({ auth: 'none', pathParameters: ['slug'] }),
  passes: {
    '200': { status: 200, credential: 'none' },
    '404': { status: 404, credential: 'none' },
  },
  violates: { '401': { status: 401, credential: 'none' } },
  ignores: {
    'a key that it does not need': { status: 401, credential: 'invalid' },
    'a path that may lead to another operation': elsewhere,
    'a cookie, which may be an expired credential': withCookie,
    'no answer': { credential: 'none' },
  },
};
