import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { PassiveExamples } from '../examples-for-tests.ts';

const operation = exampleOperation();

/** Examples of auth/missing-credentials-never-succeed. */
export const examples: PassiveExamples = {
  passes: [
    { name: '401', given: { operation, exchange: exampleExchange({ status: 401, credential: 'none' }) } },
    { name: '404', given: { operation, exchange: exampleExchange({ status: 404, credential: 'none' }) } },
  ],
  violates: [
    { name: '200', given: { operation, exchange: exampleExchange({ status: 200, credential: 'none' }) } },
  ],
  ignores: [
    {
      name: 'a good key',
      given: { operation, exchange: exampleExchange({ status: 200, credential: 'scoped' }) },
    },
    { name: 'no answer', given: { operation, exchange: exampleExchange({ credential: 'none' }) } },
  ],
};
