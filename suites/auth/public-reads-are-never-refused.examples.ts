import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { PassiveExamples } from '../examples-for-tests.ts';

const operation = exampleOperation({ auth: 'none', pathParameters: ['slug'] });

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
  passes: [
    { name: '200', given: { operation, exchange: exampleExchange({ status: 200, credential: 'none' }) } },
    { name: '404', given: { operation, exchange: exampleExchange({ status: 404, credential: 'none' }) } },
  ],
  violates: [
    { name: '401', given: { operation, exchange: exampleExchange({ status: 401, credential: 'none' }) } },
  ],
  ignores: [
    {
      name: 'a key that it does not need',
      given: { operation, exchange: exampleExchange({ status: 401, credential: 'invalid' }) },
    },
    { name: 'a path that may lead to another operation', given: { operation, exchange: elsewhere } },
    { name: 'a cookie, which may be an expired credential', given: { operation, exchange: withCookie } },
    { name: 'no answer', given: { operation, exchange: exampleExchange({ credential: 'none' }) } },
  ],
};
