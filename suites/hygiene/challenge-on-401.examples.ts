import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { PassiveExamples } from '../examples-for-tests.ts';

const operation = exampleOperation();

/** Examples of hygiene/challenge-on-401. */
export const examples: PassiveExamples = {
  passes: [
    {
      name: 'a challenge of any scheme',
      given: {
        operation,
        exchange: exampleExchange({ status: 401, headers: { 'www-authenticate': 'ApiKey' } }),
      },
    },
  ],
  violates: [{ name: 'none', given: { operation, exchange: exampleExchange({ status: 401 }) } }],
  ignores: [{ name: 'another error', given: { operation, exchange: exampleExchange({ status: 403 }) } }],
};
