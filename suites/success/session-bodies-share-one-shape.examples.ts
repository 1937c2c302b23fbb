import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { type Examples, example } from '../examples-for-tests.ts';

const answered = (operation: string, json: object): Exchange => example('200', { operation, json });
const created = answered('create', { sessionId: 'a', state: 'open' });
const cancelled = answered('cancel', { state: 'cancelled' });

export const examples: Examples = {
  operation: exampleOperation({
    id: 'read',
    role: 'reads-session',
    peers: { 'creates-session': 'create', 'reads-session': 'read', 'ends-session': 'cancel' },
  }),
  passes: {
    'one shape': [created, cancelled, answered('read', { sessionId: 'a', state: 'open' })],
    'some members less': [created, cancelled, answered('read', { sessionId: 'a' })],
  },
  violates: { 'a read in other words': [created, cancelled, answered('read', { order: {}, links: [] })] },
  notApplicable: {
    'nothing was cancelled': [created, answered('read', { order: 1 })],
    'the others have nothing in common either': [
      created,
      answered('cancel', { done: true }),
      answered('read', { order: 1 }),
    ],
  },
};
