import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { PassiveExamples } from '../examples-for-tests.ts';

const operation = exampleOperation();

/** Examples of success/success-body-is-json. */
export const examples: PassiveExamples = {
  passes: [
    { name: 'an object', given: { operation, exchange: exampleExchange({ status: 200 }) } },
    { name: 'an array', given: { operation, exchange: exampleExchange({ status: 200, body: '[]' }) } },
    {
      name: 'a media type of its own',
      given: {
        operation,
        exchange: exampleExchange({ status: 200, contentType: 'application/vnd.shop+json; v=1' }),
      },
    },
  ],
  violates: [
    { name: 'truncated', given: { operation, exchange: exampleExchange({ status: 200, body: '{"a":' }) } },
    { name: 'empty', given: { operation, exchange: exampleExchange({ status: 200, body: '' }) } },
    {
      name: 'HTML',
      given: { operation, exchange: exampleExchange({ status: 200, body: '<p>', contentType: 'text/html' }) },
    },
    {
      name: 'JSON under no media type',
      given: { operation, exchange: exampleExchange({ status: 200, contentType: null }) },
    },
  ],
  ignores: [{ name: 'an error', given: { operation, exchange: exampleExchange({ status: 404, body: '' }) } }],
};
