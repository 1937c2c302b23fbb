import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { PassiveExamples } from '../examples-for-tests.ts';

const operation = exampleOperation({ scope: 'catalog:read' });

/** Examples of scope/missing-scope-never-succeeds. */
export const examples: PassiveExamples = {
  passes: [
    { name: '403', given: { operation, exchange: exampleExchange({ status: 403, credential: 'unscoped' }) } },
    { name: '404', given: { operation, exchange: exampleExchange({ status: 404, credential: 'unscoped' }) } },
  ],
  violates: [
    { name: '200', given: { operation, exchange: exampleExchange({ status: 200, credential: 'unscoped' }) } },
  ],
  ignores: [
    {
      name: 'a good key',
      given: { operation, exchange: exampleExchange({ status: 200, credential: 'scoped' }) },
    },
    { name: 'no answer', given: { operation, exchange: exampleExchange({ credential: 'unscoped' }) } },
  ],
};
