import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

/** Examples of auth/good-key-is-accepted. */
export const examples: Examples = {
  passes: [
    {
      name: '200',
      given: { operation: exampleOperation(), exchanges: [exampleExchange({ step: 'valid', status: 200 })] },
    },
  ],
  violates: [
    {
      name: '401 here, 200 elsewhere',
      given: {
        operation: exampleOperation(),
        exchanges: [
          exampleExchange({ step: 'valid', status: 401 }),
          exampleExchange({ step: 'elsewhere', status: 200 }),
        ],
      },
    },
    {
      name: '200, and 401 after a call without credentials',
      given: {
        operation: exampleOperation(),
        exchanges: [
          exampleExchange({ step: 'valid', status: 200 }),
          exampleExchange({ step: 'other', status: 401, credential: 'none' }),
          exampleExchange({ step: 'after', status: 401 }),
        ],
      },
    },
  ],
  inconclusive: [
    {
      name: '401 everywhere',
      given: {
        operation: exampleOperation(),
        exchanges: [
          exampleExchange({ step: 'valid', status: 401 }),
          exampleExchange({ step: 'elsewhere', status: 401 }),
        ],
      },
    },
    {
      name: '404, before or after the key was looked at',
      given: { operation: exampleOperation(), exchanges: [exampleExchange({ step: 'valid', status: 404 })] },
    },
  ],
};
