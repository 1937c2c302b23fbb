import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { PassiveExamples } from '../examples-for-tests.ts';

const operation = exampleOperation();

/** Examples of status/status-is-declared. */
export const examples: PassiveExamples = {
  passes: [
    { name: '200', given: { operation, exchange: exampleExchange({ status: 200 }) } },
    { name: '429', given: { operation, exchange: exampleExchange({ status: 429 }) } },
  ],
  violates: [
    { name: '500', given: { operation, exchange: exampleExchange({ status: 500 }) } },
    { name: '422', given: { operation, exchange: exampleExchange({ status: 422 }) } },
  ],
  ignores: [{ name: 'no answer', given: { operation, exchange: exampleExchange({ failure: 'timeout' }) } }],
};
