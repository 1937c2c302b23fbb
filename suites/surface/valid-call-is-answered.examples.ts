import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Examples } from '../examples-for-tests.ts';
import { sentExample } from '../examples-for-tests.ts';

const create = exampleOperation({ method: 'POST', role: 'creates-session', requestSchema: 'CreateRequest' });

/** Examples of surface/valid-call-is-answered. */
export const examples: Examples = {
  passes: [
    {
      name: '200',
      given: {
        operation: exampleOperation(),
        exchanges: [exampleExchange({ step: 'valid', status: 200 })],
      },
    },
  ],
  violates: [
    {
      name: '404 at a fixed path',
      given: {
        operation: exampleOperation(),
        exchanges: [exampleExchange({ step: 'valid', status: 404 })],
      },
    },
    {
      name: '400 without a header that the contract does not declare',
      given: {
        operation: create,
        exchanges: [
          sentExample({ step: 'valid', role: 'control', status: 400 }, '{}'),
          exampleExchange({ step: 'withHeader', status: 200, row: { 'required header': 'idempotency-key' } }),
        ],
      },
    },
    {
      name: 'the connection is cut',
      given: {
        operation: exampleOperation(),
        exchanges: [exampleExchange({ step: 'valid', failure: 'reset' })],
      },
    },
  ],
  inconclusive: [
    {
      name: '400 to the body of the target file',
      given: {
        operation: create,
        exchanges: [sentExample({ step: 'valid', role: 'control', status: 400 }, '{}')],
      },
    },
    {
      name: '409 to the body of the target file, before anything was created',
      given: {
        operation: create,
        exchanges: [sentExample({ step: 'undisturbed', role: 'control', status: 409 }, '{}')],
      },
    },
    {
      name: '404 for a value that was guessed',
      given: {
        operation: exampleOperation(),
        exchanges: [
          exampleExchange({
            step: 'valid',
            status: 404,
            values: { sessionId: { value: 'x', source: 'discovered' } },
          }),
        ],
      },
    },
    {
      name: '401, which is a matter of keys',
      given: {
        operation: exampleOperation(),
        exchanges: [exampleExchange({ step: 'valid', status: 401 })],
      },
    },
    { name: 'nothing was sent', given: { operation: exampleOperation(), exchanges: [] } },
  ],
};
