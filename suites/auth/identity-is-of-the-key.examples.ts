import type { Evidence } from '../../harness/checks/check.ts';
import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const operation = exampleOperation({ role: 'identifies-key' });

const scoped = { keyId: 'a', scopes: ['catalog:read'] };
const unscoped = { keyId: 'b', scopes: [] };
const shared = { keyId: 'installation', scopes: [] };
const granting = { account: { id: 'a', scopes: ['catalog:read'] }, supportedScopes: ['catalog:read'] };
const permitting = { data: { permissions: 'a catalog:read' } };

type Four = readonly [object, object, object, object];

const same = identities({ last4: 'ab12' }, { last4: 'ab12' }, { last4: 'ab12' }, { last4: 'ab12' });

export const examples: Examples = {
  operation,
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
    'the number of uses changes': identities(
      { ...scoped, uses: 1 },
      { ...unscoped, uses: 2 },
      { ...unscoped, uses: 3 },
      { ...scoped, uses: 4 },
    ),
  },
  violates: {
    'a list of scopes without an id of the key, which both get': identities(
      permitting,
      permitting,
      permitting,
      permitting,
    ),
    'an end of the other key': {
      ...same,
      exchanges: [
        ...same.exchanges,
        exampleExchange({ step: 'foreignPart', status: 200, body: '{"last4":"ab12"}' }),
      ],
    },
    'always that of the owner': identities(scoped, scoped, scoped, scoped),
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
      identities({ last4: 'ab12' }, { last4: 'ab12' }, { last4: 'cd34' }, { last4: 'ab12' }),
      'ab12',
      'cd34',
    ),
    'that of the key before': identities(scoped, unscoped, unscoped, unscoped),
  },
  inconclusive: {
    'all keys of an installation share one': identities(shared, shared, shared, shared),
    'both get the same, which lists the scopes that an account may grant': identities(
      granting,
      granting,
      granting,
      granting,
    ),
    'both get the same but for the number of uses': identities(
      { ...shared, uses: 1 },
      { ...shared, uses: 2 },
      { ...shared, uses: 3 },
      { ...shared, uses: 4 },
    ),
    'one identity for all keys, and the name of the server behind the connection': atOnce(
      identities({ last4: 'node1' }, { last4: 'node1' }, { last4: 'node2' }, { last4: 'node1' }),
      'node2',
      'node2',
    ),
    'nothing was sent': [],
  },
};

function identities(...bodies: Four): Evidence {
  const keys = ['scoped', 'unscoped', 'unscoped', 'scoped'] as const;
  return {
    operation,
    exchanges: keys.map((credential, at) =>
      exampleExchange({ step: 'inTurn', credential, status: 200, body: JSON.stringify(bodies[at]) }),
    ),
  };
}

/** With one more concurrent call of each key, on fresh connections. */
function atOnce({ exchanges }: Evidence, ofScoped: string, ofUnscoped: string): Evidence {
  const fresh = (credential: 'scoped' | 'unscoped', last4: string): Exchange =>
    exampleExchange({
      step: `${credential}AtOnce`,
      credential,
      status: 200,
      body: JSON.stringify({ last4 }),
      connection: 'fresh',
    });
  return { operation, exchanges: [...exchanges, fresh('scoped', ofScoped), fresh('unscoped', ofUnscoped)] };
}
