import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const hosted = exampleOperation({
  id: 'initiateHostedLogin',
  method: 'POST',
  group: 'hosted',
  scope: 'catalog:read',
});

const control = exampleExchange({ step: 'valid', status: 200 });

/** Examples of scope/missing-scope-is-forbidden. */
export const examples: Examples = {
  passes: [
    {
      name: 'forbidden',
      given: {
        operation: hosted,
        exchanges: [control, exampleExchange({ step: 'withoutScope', status: 403, credential: 'unscoped' })],
      },
    },
  ],
  violates: [
    {
      name: 'let in',
      given: {
        operation: hosted,
        exchanges: [control, exampleExchange({ step: 'withoutScope', status: 200, credential: 'unscoped' })],
      },
    },
    {
      name: 'answered 401 though the key is good',
      given: {
        operation: hosted,
        exchanges: [
          control,
          exampleExchange({ step: 'withoutScope', status: 401, credential: 'unscoped' }),
          exampleExchange({ step: 'elsewhere', status: 200, credential: 'unscoped' }),
        ],
      },
    },
  ],
  inconclusive: [
    {
      name: 'the key is no good anywhere',
      given: {
        operation: hosted,
        exchanges: [
          control,
          exampleExchange({ step: 'withoutScope', status: 401, credential: 'unscoped' }),
          exampleExchange({ step: 'elsewhere', status: 401, credential: 'unscoped' }),
        ],
      },
    },
    {
      name: 'forbidden, but so is the key with the scope',
      given: {
        operation: hosted,
        exchanges: [
          exampleExchange({ step: 'valid', status: 403 }),
          exampleExchange({ step: 'withoutScope', status: 403, credential: 'unscoped' }),
        ],
      },
    },
  ],
};
