import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const operation = exampleOperation();

const rested = exampleExchange({ step: 'rested', status: 500 });
const again = exampleExchange({ step: 'again', status: 200 });

/** Examples of surface/rested-service-answers. */
export const examples: Examples = {
  passes: [
    {
      name: 'answered as usual',
      given: { operation, exchanges: [exampleExchange({ step: 'rested', status: 200 })] },
    },
  ],
  violates: [
    { name: 'the next call only', given: { operation, exchanges: [rested, again] } },
    {
      name: 'one of several at once',
      given: {
        operation,
        exchanges: [
          exampleExchange({ step: 'rested', status: 200 }),
          exampleExchange({ step: 'beside', status: 409 }),
          again,
        ],
      },
    },
  ],
  inconclusive: [
    { name: 'nothing was sent', given: { operation, exchanges: [] } },
    {
      name: 'blocked by a firewall',
      given: { operation, exchanges: [exampleExchange({ step: 'rested', status: 403, body: '<html>' })] },
    },
    {
      name: 'no call is answered any more',
      given: { operation, exchanges: [rested, exampleExchange({ step: 'again', status: 500 })] },
    },
  ],
};
