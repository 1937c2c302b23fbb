import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { type Examples, example } from '../examples-for-tests.ts';

const scoped = { keyId: 'a', scopes: ['catalog:read'] };
const unscoped = { keyId: 'b', scopes: [] };
const shared = { keyId: 'installation', scopes: [] };
const granting = { account: { id: 'a', scopes: ['catalog:read'] }, supportedScopes: ['catalog:read'] };
const permitting = { data: { permissions: 'a catalog:read' } };
const ended = { last4: 'ab12' };

type Exchanges = readonly Exchange[];

export const examples: Examples = {
  operation: exampleOperation({ role: 'identifies-key' }),
  passes: {
    'each key gets its own': identities(scoped, unscoped, unscoped, scoped),
    'the scope that was asked for last is shown': identities(
      { ...scoped, last: null },
      { ...unscoped, last: 'catalog:read' },
      { ...unscoped, last: null },
      { ...scoped, last: 'catalog:read' },
    ),
    'what the key was last asked for is shown, by the name of a scope or of none': identities(
      { keyId: 'a', last: 'none' },
      { keyId: 'b', last: 'none' },
      { keyId: 'b', last: 'catalog:read' },
      { keyId: 'a', last: 'catalog:read' },
    ),
    'the number of uses changes': counted(scoped, unscoped, unscoped, scoped),
  },
  violates: {
    'a list of scopes without an id of the key, which both get': always(permitting),
    'an end of the other key': [...always(ended), example('foreignPart 200', { json: ended })],
    'always that of the owner': always(scoped),
    'now its own and now the other one, which both keys get': identities(
      unscoped,
      { ...scoped, label: 'b' },
      unscoped,
      { ...scoped, label: 'b' },
    ),
    'that of the other key for the scoped one, which gets its own the next time': identities(
      unscoped,
      unscoped,
      unscoped,
      scoped,
    ),
    'that of the key which used the connection first': atOnce(
      identities(ended, ended, { last4: 'cd34' }, ended),
      'ab12',
      'cd34',
    ),
    'that of the key before': identities(scoped, unscoped, unscoped, unscoped),
  },
  inconclusive: {
    'all keys of an installation share one': always(shared),
    'both get the same, which lists the scopes that an account may grant': always(granting),
    'both get the same but for the number of uses': counted(shared, shared, shared, shared),
    'one identity for all keys, and the name of the server behind the connection': atOnce(
      identities({ last4: 'node1' }, { last4: 'node1' }, { last4: 'node2' }, { last4: 'node1' }),
      'node2',
      'node2',
    ),
    'nothing was sent': [],
  },
};

function identities(...four: readonly [object, object, object, object]): Exchanges {
  const keys = ['scoped', 'unscoped', 'unscoped', 'scoped'];
  return four.map((json, at) => example(`inTurn 200 ${keys[at]}`, { json }));
}

function always(body: object): Exchanges {
  return identities(body, body, body, body);
}

/** Each with the number of uses so far. */
function counted(...four: Parameters<typeof identities>): Exchanges {
  const [a, b, c, d] = four;
  return identities({ ...a, uses: 1 }, { ...b, uses: 2 }, { ...c, uses: 3 }, { ...d, uses: 4 });
}

/** With one more concurrent call of each key, on fresh connections. */
function atOnce(exchanges: Exchanges, ofScoped: string, ofUnscoped: string): Exchanges {
  const fresh = (key: string, last4: string): Exchange =>
    example(`${key}AtOnce 200 ${key}`, { json: { last4 }, connection: 'fresh' });
  return [...exchanges, fresh('scoped', ofScoped), fresh('unscoped', ofUnscoped)];
}
