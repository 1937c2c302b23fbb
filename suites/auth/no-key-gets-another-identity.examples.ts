import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const operation = exampleOperation({ role: 'identifies-key' });

const holder = { keyId: 'a', scopes: ['catalog:read'] };

/** Examples of auth/no-key-gets-another-identity. */
export const examples: Examples = {
  passes: [
    {
      name: 'its own',
      given: { operation, exchanges: [scoped(holder), unscoped({ keyId: 'b', scopes: [] })] },
    },
    {
      name: 'its own, with the scope: the key that was given holds it after all',
      given: { operation, exchanges: [scoped(holder), unscoped({ ...holder, keyId: 'b' })] },
    },
  ],
  violates: [
    {
      name: 'that of the other key, once',
      given: {
        operation,
        exchanges: [scoped(holder), unscoped({ keyId: 'b', scopes: [] }), unscoped(holder)],
      },
    },
    {
      name: 'that of the other key, which counts its uses',
      given: {
        operation,
        exchanges: [
          scoped({ ...holder, uses: 1 }),
          unscoped({ ...holder, uses: 2 }),
          scoped({ ...holder, uses: 3 }),
        ],
      },
    },
  ],
  notApplicable: [
    {
      name: 'one for all keys, without scopes',
      given: { operation, exchanges: [scoped({ shop: 'a' }), unscoped({ shop: 'a' })] },
    },
  ],
};

function scoped(body: object): Exchange {
  return exampleExchange({ status: 200, body: JSON.stringify(body) });
}

function unscoped(body: object): Exchange {
  return exampleExchange({ status: 200, body: JSON.stringify(body), credential: 'unscoped' });
}
