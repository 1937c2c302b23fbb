import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { PassiveExamples } from '../examples-for-tests.ts';

const operation = exampleOperation();

/** Examples of auth/invalid-key-never-succeeds. */
export const examples: PassiveExamples = {
  passes: [
    { name: '401', given: { operation, exchange: exampleExchange({ status: 401, credential: 'invalid' }) } },
    { name: '404', given: { operation, exchange: exampleExchange({ status: 404, credential: 'invalid' }) } },
  ],
  violates: [
    { name: '200', given: { operation, exchange: exampleExchange({ status: 200, credential: 'invalid' }) } },
  ],
  ignores: [
    {
      name: 'a good key',
      given: { operation, exchange: exampleExchange({ status: 200, credential: 'scoped' }) },
    },
    { name: 'no answer', given: { operation, exchange: exampleExchange({ credential: 'invalid' }) } },
  ],
};
