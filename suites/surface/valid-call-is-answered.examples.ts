import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import { type Examples, sentExample } from '../examples-for-tests.ts';

const create = exampleOperation({ method: 'POST', role: 'creates-session', requestSchema: 'CreateRequest' });

export const examples: Examples = {
  passes: { '200': [{ step: 'valid', status: 200 }] },
  violates: {
    '404 at a fixed path': [{ step: 'valid', status: 404 }],
    '400 without a header that the contract does not declare': {
      operation: create,
      exchanges: [
        sentExample({ step: 'valid', role: 'control', status: 400 }, '{}'),
        { step: 'withHeader', status: 200, row: { 'required header': 'idempotency-key' } },
      ],
    },
    'the connection is cut': [{ step: 'valid', failure: 'reset' }],
  },
  inconclusive: {
    '400 to the body of the target file': {
      operation: create,
      exchanges: [sentExample({ step: 'valid', role: 'control', status: 400 }, '{}')],
    },
    '409 to the body of the target file, before anything was created': {
      operation: create,
      exchanges: [sentExample({ step: 'undisturbed', role: 'control', status: 409 }, '{}')],
    },
    '404 for a value that was guessed': [
      { step: 'valid', status: 404, values: { sessionId: { value: 'x', source: 'discovered' } } },
    ],
    '401, which is a matter of keys': [{ step: 'valid', status: 401 }],
    'nothing was sent': [],
  },
};
