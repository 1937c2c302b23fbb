import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const operation = exampleOperation({ method: 'POST', role: 'consumes-login' });

const first = exampleExchange({ step: 'first', status: 200, body: '{"login":"L-1","at":"10:00:01"}' });

const repeated = exampleExchange({ step: 'again', status: 200, body: '{"login":"L-1","at":"10:00:01"}' });

/** Examples of login/return-is-consumed-once. */
export const examples: Examples = {
  passes: [
    {
      name: 'refused with 409',
      given: { operation, exchanges: [first, exampleExchange({ step: 'again', status: 409 })] },
    },
    {
      name: 'a stranger left the login as it was',
      given: {
        operation,
        exchanges: [
          first,
          exampleExchange({ step: 'again', status: 409 }),
          exampleExchange({ step: 'stranger', status: 401 }),
          exampleExchange({ step: 'afterStranger', status: 200 }),
        ],
      },
    },
    {
      name: 'no login can be consumed any more',
      given: {
        operation,
        exchanges: [
          first,
          exampleExchange({ step: 'again', status: 409 }),
          exampleExchange({ step: 'stranger', status: 401 }),
          exampleExchange({ step: 'afterStranger', status: 409 }),
          exampleExchange({ step: 'untouched', status: 409 }),
        ],
      },
    },
    {
      name: 'a login was given out again that had been consumed, and the next was not',
      given: {
        operation,
        exchanges: [
          first,
          exampleExchange({ step: 'again', status: 409 }),
          ...['stranger', 'stranger'].map((step) => exampleExchange({ step, status: 401 })),
          exampleExchange({ step: 'afterStranger', status: 409 }),
          exampleExchange({ step: 'untouched', status: 200 }),
          exampleExchange({ step: 'afterStranger', status: 200 }),
        ],
      },
    },
    {
      name: 'repeated unchanged for a moment, then refused',
      given: { operation, exchanges: [first, repeated, exampleExchange({ step: 'again', status: 404 })] },
    },
  ],
  violates: [
    {
      name: 'a stranger used up the login',
      given: {
        operation,
        exchanges: [
          first,
          exampleExchange({ step: 'again', status: 409 }),
          ...['stranger', 'stranger'].map((step) => exampleExchange({ step, status: 401 })),
          ...['afterStranger', 'afterStranger'].map((step) => exampleExchange({ step, status: 409 })),
          ...['untouched', 'untouched'].map((step) => exampleExchange({ step, status: 200 })),
        ],
      },
    },
    {
      name: 'a second login',
      given: {
        operation,
        exchanges: [
          first,
          exampleExchange({ step: 'again', status: 200, body: '{"login":"L-1","at":"10:00:02"}' }),
        ],
      },
    },
    {
      name: '500',
      given: { operation, exchanges: [first, exampleExchange({ step: 'again', status: 500 })] },
    },
  ],
  inconclusive: [
    { name: 'repeated unchanged for longer', given: { operation, exchanges: [first, repeated, repeated] } },
    {
      name: 'refused the first time already',
      given: { operation, exchanges: [exampleExchange({ step: 'first', status: 409 })] },
    },
    { name: 'a body that holds a secret', given: { operation, exchanges: [first] } },
    { name: 'nothing was sent', given: { operation, exchanges: [] } },
  ],
};
