import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Examples } from '../../harness/checks/examples.ts';

const operation = exampleOperation({
  id: 'consumeHostedLoginReturn',
  method: 'POST',
  group: 'hosted',
  scope: 'catalog:read',
});

const control = exampleExchange({ role: 'control', status: 200 });

/** Examples of login/unissued-return-is-refused. */
export const examples: Examples = {
  passes: [
    {
      name: 'refused with 404',
      given: { operation, exchanges: [control, exampleExchange({ status: 404 })] },
    },
    {
      name: 'refused with 401, as it is the login that fails',
      given: { operation, exchanges: [control, exampleExchange({ status: 401 })] },
    },
  ],
  violates: [
    { name: 'accepted', given: { operation, exchanges: [control, exampleExchange({ status: 200 })] } },
    {
      name: 'a near miss is accepted',
      given: {
        operation,
        exchanges: [control, exampleExchange({ status: 404 }), exampleExchange({ status: 200 })],
      },
    },
    {
      name: 'accepted, while one that was issued is not',
      given: {
        operation,
        exchanges: [exampleExchange({ role: 'control', status: 409 }), exampleExchange({ status: 200 })],
      },
    },
    { name: '500', given: { operation, exchanges: [control, exampleExchange({ status: 500 })] } },
    { name: 'no answer', given: { operation, exchanges: [control, exampleExchange({ failure: 'reset' })] } },
  ],
  inconclusive: [
    {
      name: 'refused like the one that was issued',
      given: {
        operation,
        exchanges: [exampleExchange({ role: 'control', status: 400 }), exampleExchange({ status: 400 })],
      },
    },
    { name: 'no captured value in the body', given: { operation, exchanges: [control] } },
  ],
};
