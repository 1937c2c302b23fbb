import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { type Examples, example } from '../examples-for-tests.ts';

const holder = { keyId: 'a', scopes: ['catalog:read'] };
const scoped = (json: object): Exchange => example('200', { json });
const unscoped = (json: object): Exchange => example('200 unscoped', { json });

const both = { shopId: 'a', name: 'Shop' };
const byTurns = (one: object, other: object): readonly Exchange[] =>
  [one, other].flatMap((json) => [scoped(json), unscoped(json)]);

export const examples: Examples = {
  operation: exampleOperation({ role: 'identifies-key' }),
  passes: {
    'one for both keys, and the server that happened to answer': [
      ...byTurns({ ...both, podId: 'p' }, { ...both, podId: 'q' }),
      ...[scoped({ ...both, ...holder }), unscoped({ ...both, keyId: 'b' })],
    ],
    'one for both keys, with a number of uses': [
      ...byTurns({ ...both, uses: 1 }, { ...both, uses: 2 }),
      ...[scoped({ ...both, ...holder }), unscoped({ ...both, keyId: 'b' })],
    ],
    'its own': [scoped(holder), unscoped({ keyId: 'b', scopes: [] })],
    'its own, with the scope: the key that was given holds it after all': [
      scoped(holder),
      unscoped({ ...holder, keyId: 'b' }),
    ],
  },
  violates: {
    'of whoever called first, for both keys': byTurns(
      { keyId: 'a', name: 'Shop' },
      { keyId: 'b', name: 'Page' },
    ),
    'that of the other key, once': [scoped(holder), unscoped({ keyId: 'b', scopes: [] }), unscoped(holder)],
    'that of the other key, which counts its uses': [
      scoped({ ...holder, uses: 1 }),
      unscoped({ ...holder, uses: 2 }),
      scoped({ ...holder, uses: 3 }),
    ],
  },
  notApplicable: {
    'one for all keys, with a list that changes its order': byTurns(
      { ...both, apps: [{ appId: 1, name: 'A' }] },
      { ...both, apps: [{ appId: 2, name: 'B' }] },
    ),
    'one for all keys, without scopes': [scoped({ shop: 'a' }), unscoped({ shop: 'a' })],
  },
};
