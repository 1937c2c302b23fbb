import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const hosted = exampleOperation({
  id: 'initiateHostedLogin',
  method: 'POST',
  group: 'hosted',
  scope: 'catalog:read',
});

export const examples: Examples = {
  operation: hosted,
  passes: { 'let in': [{ step: 'valid', status: 200 }] },
  violates: {
    'forbidden here, let in at another hosted operation': [
      { step: 'valid', status: 403 },
      { step: 'elsewhere', row: { shown: 'scope' }, operation: 'createHostedCheckoutSession', status: 200 },
    ],
    'forbidden at all hosted operations, but the identity names the scope': [
      { step: 'valid', status: 403 },
      { step: 'elsewhere', row: { shown: 'identity' }, status: 200, body: '{"scopes":["catalog:read"]}' },
    ],
    'let in, but not after a call with the key that lacks the scope': [
      { step: 'valid', operation: hosted.id, status: 200 },
      { step: 'other', credential: 'unscoped', status: 403 },
      { step: 'after', operation: hosted.id, status: 403 },
    ],
    'forbidden where no scope is required': {
      operation: exampleOperation(),
      exchanges: [{ step: 'valid', status: 403 }],
    },
  },
  inconclusive: {
    'forbidden at all hosted operations, and nothing says that it holds the scope': [
      { step: 'valid', status: 403 },
      { step: 'elsewhere', row: { shown: 'identity' }, status: 200 },
    ],
    'forbidden, whereas the key without the scope is let in': [
      { step: 'valid', status: 403 },
      { step: 'other', operation: hosted.id, credential: 'unscoped', status: 200 },
    ],
  },
};
