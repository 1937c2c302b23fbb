import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const operation = exampleOperation({
  id: 'initiate',
  role: 'initiates-login',
  peers: { 'initiates-login': 'initiate', 'consumes-login': 'consume' },
});
const applicable = new Set(['initiate', 'consume', 'create', 'read']);

const initiated = answered('initiate', { state: 'a', loginUrl: 'b', expiresAt: 'c' });
const session = { sessionId: 'a', status: 'open', items: [] };
const created = answered('create', session);

/** Examples of success/success-is-of-its-operation. */
export const examples: Examples = {
  passes: [
    { name: 'each with its own result', given: { operation, applicable, exchanges: [initiated, created] } },
    {
      name: 'another shape, which no other operation has',
      given: {
        operation,
        applicable,
        exchanges: [initiated, created, answered('initiate', { code: 1, url: 'b', wait: 2 })],
      },
    },
    {
      name: 'an acknowledgement that others write alike',
      given: {
        operation,
        applicable,
        exchanges: [
          initiated,
          answered('initiate', { ok: true, message: '' }),
          answered('create', { ok: true, message: '' }),
        ],
      },
    },
    {
      name: 'an envelope in common',
      given: {
        operation,
        applicable,
        exchanges: [
          answered('initiate', { data: {}, meta: {}, links: {} }),
          answered('create', { data: {}, meta: {}, links: {} }),
        ],
      },
    },
    {
      name: 'operations with one schema',
      given: {
        operation: exampleOperation({
          id: 'create',
          role: 'creates-session',
          peers: { 'creates-session': 'create', 'reads-session': 'read' },
        }),
        applicable,
        exchanges: [
          answered('create', { id: 'a', url: 'b', expires: 'c' }),
          answered('read', session),
          created,
          initiated,
        ],
      },
    },
  ],
  violates: [
    {
      name: 'the session of a create that was under way',
      given: { operation, applicable, exchanges: [initiated, created, answered('initiate', session)] },
    },
    {
      name: 'the answer of another operation comes first',
      given: { operation, applicable, exchanges: [created, answered('initiate', session), initiated] },
    },
  ],
  notApplicable: [{ name: 'no other operation', given: { operation, applicable, exchanges: [initiated] } }],
};

function answered(id: string, body: object): Exchange {
  return exampleExchange({ operation: id, status: 200, body: JSON.stringify(body) });
}
