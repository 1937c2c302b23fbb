import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const operation = exampleOperation({ id: 'readsBootstrap', auth: 'none' });
const keyId = 'b0a9ef4e-57c1-4f2f';
const identity = exampleExchange({ operation: 'identity', status: 200, body: JSON.stringify({ keyId }) });

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

function anonymous(body: object): Exchange {
  return exampleExchange({
    operation: operation.id,
    credential: 'none',
    status: 200,
    body: JSON.stringify(body),
  });
}
