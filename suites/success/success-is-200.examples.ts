import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { PassiveExamples } from '../examples-for-tests.ts';

const operation = exampleOperation();

/** Examples of success/success-is-200. */
export const examples: PassiveExamples = {
  passes: [{ name: '200', given: { operation, exchange: exampleExchange({ status: 200 }) } }],
  violates: [
    { name: '201', given: { operation, exchange: exampleExchange({ status: 201 }) } },
    { name: 'a redirect', given: { operation, exchange: exampleExchange({ status: 307 }) } },
  ],
  ignores: [{ name: 'an error', given: { operation, exchange: exampleExchange({ status: 404 }) } }],
};
