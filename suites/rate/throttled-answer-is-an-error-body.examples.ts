import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { PassiveExamples } from '../examples-for-tests.ts';

const operation = exampleOperation();

/** Examples of rate/throttled-answer-is-an-error-body. */
export const examples: PassiveExamples = {
  passes: [
    { name: 'an error body', given: { operation, exchange: exampleExchange({ status: 429 }) } },
    {
      name: 'an error body and Retry-After',
      given: { operation, exchange: exampleExchange({ status: 429, headers: { 'retry-after': '3600' } }) },
    },
  ],
  violates: [
    {
      name: 'plain text',
      given: {
        operation,
        exchange: exampleExchange({ status: 429, body: 'slow down', contentType: 'text/plain' }),
      },
    },
    { name: 'empty', given: { operation, exchange: exampleExchange({ status: 429, body: '' }) } },
  ],
  ignores: [{ name: 'another status', given: { operation, exchange: exampleExchange({ status: 503 }) } }],
};
