import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import { type Examples, example } from '../examples-for-tests.ts';

const hosted = exampleOperation({
  id: 'initiateHostedLogin',
  method: 'POST',
  group: 'hosted',
  scope: 'catalog:read',
});
const identity = { row: { shown: 'identity' } };

export const examples: Examples = {
  operation: hosted,
  passes: { 'let in': ['valid 200'] },
  violates: {
    'forbidden here, let in at another hosted operation': [
      'valid 403',
      example('elsewhere 200', { row: { shown: 'scope' }, operation: 'createHostedCheckoutSession' }),
    ],
    'forbidden at all hosted operations, but the identity names the scope': [
      'valid 403',
      example('elsewhere 200', { ...identity, json: { scopes: ['catalog:read'] } }),
    ],
    'let in, but not after a call with the key that lacks the scope': [
      'valid 200',
      'other 403 unscoped',
      'after 403',
    ],
    'forbidden where no scope is required': { operation: exampleOperation(), exchanges: ['valid 403'] },
  },
  inconclusive: {
    'forbidden at all hosted operations, and nothing says that it holds the scope': [
      'valid 403',
      example('elsewhere 200', identity),
    ],
    'forbidden, whereas the key without the scope is let in': ['valid 403', 'other 200 unscoped'],
  },
};
