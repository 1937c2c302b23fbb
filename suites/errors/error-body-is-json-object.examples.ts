import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { PassiveExamples } from '../examples-for-tests.ts';

const operation = exampleOperation();

/** Examples of errors/error-body-is-json-object. */
export const examples: PassiveExamples = {
  passes: [
    { name: 'an object', given: { operation, exchange: exampleExchange({ status: 404 }) } },
    {
      name: 'problem details',
      given: {
        operation,
        exchange: exampleExchange({ status: 400, contentType: 'application/problem+json' }),
      },
    },
  ],
  violates: [
    { name: 'empty', given: { operation, exchange: exampleExchange({ status: 401, body: '' }) } },
    { name: 'an array', given: { operation, exchange: exampleExchange({ status: 404, body: '[]' }) } },
    {
      name: 'plain text',
      given: {
        operation,
        exchange: exampleExchange({ status: 404, body: 'Not Found', contentType: 'text/plain' }),
      },
    },
    {
      name: 'an object under another media type',
      given: { operation, exchange: exampleExchange({ status: 404, contentType: 'text/html' }) },
    },
  ],
  ignores: [
    { name: 'a success', given: { operation, exchange: exampleExchange({ status: 200, body: '' }) } },
  ],
};
