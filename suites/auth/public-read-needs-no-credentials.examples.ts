import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const publicRead = exampleOperation({ id: 'listPublicCategories', auth: 'none' });

/** Examples of auth/public-read-needs-no-credentials. */
export const examples: Examples = {
  passes: [
    {
      name: '200 without credentials',
      given: {
        operation: publicRead,
        exchanges: [exampleExchange({ step: 'withoutKey', status: 200, credential: 'none' })],
      },
    },
  ],
  violates: [
    {
      name: '401 without credentials',
      given: {
        operation: publicRead,
        exchanges: [exampleExchange({ step: 'withoutKey', status: 401, credential: 'none' })],
      },
    },
    {
      name: '404 without credentials but 200 with a key',
      given: {
        operation: publicRead,
        exchanges: [
          exampleExchange({ step: 'withoutKey', status: 404, credential: 'none' }),
          exampleExchange({ step: 'withKey', status: 200 }),
        ],
      },
    },
  ],
  inconclusive: [
    {
      name: '404 either way',
      given: {
        operation: publicRead,
        exchanges: [
          exampleExchange({ step: 'withoutKey', status: 404, credential: 'none' }),
          exampleExchange({ step: 'withKey', status: 404 }),
        ],
      },
    },
  ],
};
