import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { PassiveExamples } from '../examples-for-tests.ts';

const operation = exampleOperation();

/** Examples of rate/retry-after-is-not-declared. */
export const examples: PassiveExamples = {
  passes: [{ name: 'without', given: { operation, exchange: exampleExchange({ status: 429 }) } }],
  violates: [
    {
      name: 'with',
      given: { operation, exchange: exampleExchange({ status: 429, headers: { 'retry-after': '1' } }) },
    },
  ],
  ignores: [
    {
      name: 'on another status',
      given: { operation, exchange: exampleExchange({ status: 404, headers: { 'retry-after': '1' } }) },
    },
  ],
};
