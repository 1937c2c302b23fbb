import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const operation = exampleOperation({ method: 'POST', role: 'consumes-login' });

const first = exampleExchange({ step: 'first', status: 200 });
const again = exampleExchange({ step: 'again', status: 409 });

/** Examples of login/return-stays-consumed. */
export const examples: Examples = {
  passes: [
    {
      name: 'gone by then',
      given: { operation, exchanges: [first, again, exampleExchange({ step: 'late', status: 404 })] },
    },
  ],
  violates: [
    {
      name: 'accepted once more',
      given: { operation, exchanges: [first, again, exampleExchange({ step: 'late', status: 200 })] },
    },
  ],
  inconclusive: [
    {
      name: 'repeated from the beginning',
      given: {
        operation,
        exchanges: [first, ...['again', 'late'].map((step) => exampleExchange({ step, status: 200 }))],
      },
    },
    { name: 'nothing was sent late', given: { operation, exchanges: [first, again] } },
  ],
};
