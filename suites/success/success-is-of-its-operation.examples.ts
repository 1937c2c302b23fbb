import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { type Examples, example } from '../examples-for-tests.ts';

const operation = exampleOperation({
  id: 'initiate',
  role: 'initiates-login',
  peers: { 'initiates-login': 'initiate', 'consumes-login': 'consume' },
});
const applicable = new Set(['initiate', 'consume', 'create', 'read']);

const initiated = answered('initiate', { state: 'a', loginUrl: 'b', expiresAt: 'c' });
const session = { sessionId: 'a', status: 'open', items: [] };
const created = answered('create', session);

export const examples: Examples = {
  operation,
  applicable,
  passes: {
    'each with its own result': [initiated, created],
    'another shape, which no other operation has': [
      initiated,
      created,
      answered('initiate', { code: 1, url: 'b', wait: 2 }),
    ],
    'an acknowledgement that others write alike': [
      initiated,
      answered('initiate', { ok: true, message: '' }),
      answered('create', { ok: true, message: '' }),
    ],
    'an envelope in common': [
      answered('initiate', { data: {}, meta: {}, links: {} }),
      answered('create', { data: {}, meta: {}, links: {} }),
    ],
    'operations with one schema': {
      operation: exampleOperation({
        id: 'create',
        role: 'creates-session',
        peers: { 'creates-session': 'create', 'reads-session': 'read' },
      }),
      exchanges: [
        answered('create', { id: 'a', url: 'b', expires: 'c' }),
        answered('read', session),
        created,
        initiated,
      ],
    },
  },
  violates: {
    'the session of a create that was under way': [initiated, created, answered('initiate', session)],
    'the answer of another operation comes first': [created, answered('initiate', session), initiated],
  },
  notApplicable: { 'no other operation': [initiated] },
};

function answered(operation: string, json: object): Exchange {
  return example('200', { operation, json });
}
