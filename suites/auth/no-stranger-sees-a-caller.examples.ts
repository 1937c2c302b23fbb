import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { type Examples, example } from '../examples-for-tests.ts';

const operation = exampleOperation({ id: 'readsBootstrap', auth: 'none' });
const keyId = 'b0a9ef4e-57c1-4f2f';
const identity = example('200', { operation: 'identity', json: { keyId } });
const anonymous = (json: object): Exchange => example('200 none', { operation: operation.id, json });

export const examples: Examples = {
  operation,
  passes: {
    'what it always shows': [identity, anonymous({ name: 'shop' })],
    'the id of the key of the shop itself, each time': [
      identity,
      anonymous({ keyId }),
      anonymous({ keyId, again: true }),
    ],
  },
  violates: { 'the id of a key, once': [anonymous({ name: 'shop' }), identity, anonymous({ keyId })] },
  notApplicable: { 'no call without a key': [identity] },
};
