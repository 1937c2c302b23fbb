import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const operation = exampleOperation({
  id: 'read',
  role: 'reads-session',
  peers: { 'creates-session': 'create', 'reads-session': 'read', 'ends-session': 'cancel' },
});

const created = answered('create', { sessionId: 'a', state: 'open' });
const cancelled = answered('cancel', { state: 'cancelled' });

/** Examples of success/session-bodies-share-one-shape. */
export const examples: Examples = {
  passes: [
    {
      name: 'one shape',
      given: {
        operation,
        exchanges: [created, cancelled, answered('read', { sessionId: 'a', state: 'open' })],
      },
    },
    {
      name: 'some members less',
      given: { operation, exchanges: [created, cancelled, answered('read', { sessionId: 'a' })] },
    },
  ],
  violates: [
    {
      name: 'a read in other words',
      given: { operation, exchanges: [created, cancelled, answered('read', { order: {}, links: [] })] },
    },
  ],
  notApplicable: [
    {
      name: 'nothing was cancelled',
      given: { operation, exchanges: [created, answered('read', { order: 1 })] },
    },
    {
      name: 'the others have nothing in common either',
      given: {
        operation,
        exchanges: [created, answered('cancel', { done: true }), answered('read', { order: 1 })],
      },
    },
  ],
};

function answered(id: string, body: object): Exchange {
  return exampleExchange({ operation: id, status: 200, body: JSON.stringify(body) });
}
