import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { type Examples, example } from '../examples-for-tests.ts';

const holder = { keyId: 'a', scopes: ['catalog:read'] };
const scoped = (json: object): Exchange => example('200', { json });
const unscoped = (json: object): Exchange => example('200 unscoped', { json });

export const examples: Examples = {
  operation: exampleOperation({ role: 'identifies-key' }),
  passes: {
    'its own': [scoped(holder), unscoped({ keyId: 'b', scopes: [] })],
    'its own, with the scope: the key that was given holds it after all': [
      scoped(holder),
      unscoped({ ...holder, keyId: 'b' }),
    ],
  },
  violates: {
    'that of the other key, once': [scoped(holder), unscoped({ keyId: 'b', scopes: [] }), unscoped(holder)],
    'that of the other key, which counts its uses': [
      scoped({ ...holder, uses: 1 }),
      unscoped({ ...holder, uses: 2 }),
      scoped({ ...holder, uses: 3 }),
    ],
  },
  notApplicable: { 'one for all keys, without scopes': [scoped({ shop: 'a' }), unscoped({ shop: 'a' })] },
};
