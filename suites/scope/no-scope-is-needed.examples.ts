import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const operation = exampleOperation();

/** Examples of scope/no-scope-is-needed. */
export const examples: Examples = {
  passes: [
    {
      name: 'let in',
      given: {
        operation,
        exchanges: [exampleExchange({ step: 'asAnotherClient', status: 200, credential: 'unscoped' })],
      },
    },
  ],
  violates: [
    {
      name: 'forbidden without the scope, let in with it',
      given: {
        operation,
        exchanges: [
          exampleExchange({ step: 'asAnotherClient', status: 403, credential: 'unscoped' }),
          exampleExchange({ step: 'withScope', status: 200 }),
        ],
      },
    },
    {
      name: 'hidden without the scope',
      given: {
        operation,
        exchanges: [
          exampleExchange({ step: 'asAnotherClient', status: 404, credential: 'unscoped' }),
          exampleExchange({ step: 'withScope', status: 200 }),
        ],
      },
    },
    {
      name: 'forbidden right after a call that needs the scope',
      given: {
        operation,
        exchanges: [
          exampleExchange({ step: 'afterRefusal', status: 403, credential: 'unscoped' }),
          exampleExchange({ step: 'withScope', status: 200 }),
          exampleExchange({ step: 'later', status: 200, credential: 'unscoped' }),
        ],
      },
    },
  ],
  inconclusive: [
    {
      name: 'forbidden with either key',
      given: {
        operation,
        exchanges: [
          exampleExchange({ step: 'asAnotherClient', status: 403, credential: 'unscoped' }),
          exampleExchange({ step: 'withScope', status: 403 }),
        ],
      },
    },
  ],
};
