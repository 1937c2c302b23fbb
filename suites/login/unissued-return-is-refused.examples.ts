import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const operation = exampleOperation({ method: 'POST', role: 'consumes-login' });

const control = exampleExchange({ step: 'issued', status: 200 });

/** Examples of login/unissued-return-is-refused. */
export const examples: Examples = {
  passes: [
    {
      name: 'refused with 404',
      given: { operation, exchanges: [control, exampleExchange({ step: 'lookAlike', status: 404 })] },
    },
    {
      name: 'refused with 401, as it is the login that fails',
      given: { operation, exchanges: [control, exampleExchange({ step: 'lookAlike', status: 401 })] },
    },
  ],
  violates: [
    {
      name: 'accepted',
      given: { operation, exchanges: [control, exampleExchange({ step: 'lookAlike', status: 200 })] },
    },
    {
      name: 'a near miss is accepted',
      given: {
        operation,
        exchanges: [
          control,
          exampleExchange({ step: 'lookAlike', status: 404 }),
          exampleExchange({ step: 'lookAlike', status: 200 }),
        ],
      },
    },
    {
      name: 'accepted, while one that was issued is not',
      given: {
        operation,
        exchanges: [
          exampleExchange({ step: 'issued', status: 409 }),
          exampleExchange({ step: 'lookAlike', status: 200 }),
        ],
      },
    },
    {
      name: '500',
      given: { operation, exchanges: [control, exampleExchange({ step: 'lookAlike', status: 500 })] },
    },
    {
      name: 'no answer',
      given: { operation, exchanges: [control, exampleExchange({ step: 'lookAlike', failure: 'reset' })] },
    },
  ],
  inconclusive: [
    {
      name: 'refused like the one that was issued',
      given: {
        operation,
        exchanges: [
          exampleExchange({ step: 'issued', status: 400 }),
          exampleExchange({ step: 'lookAlike', status: 400 }),
        ],
      },
    },
    { name: 'no captured value in the body', given: { operation, exchanges: [control] } },
  ],
};
