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

/** Examples of auth/identity-is-of-the-key. */
export const examples: Examples = {
  passes: [
    { name: 'each key gets its own', given: identities(scoped, unscoped, unscoped, scoped) },
    {
      name: 'the scope that was asked for last is shown',
      given: identities(
        { ...scoped, last: null },
        { ...unscoped, last: 'catalog:read' },
        { ...unscoped, last: null },
        { ...scoped, last: 'catalog:read' },
      ),
    },
    {
      name: 'what the key was last asked for is shown, by the name of a scope or of none',
      given: identities(
        { keyId: 'a', last: 'none' },
        { keyId: 'b', last: 'none' },
        { keyId: 'b', last: 'catalog:read' },
        { keyId: 'a', last: 'catalog:read' },
      ),
    },
    {
      name: 'the number of uses changes',
      given: identities(
        { ...scoped, uses: 1 },
        { ...unscoped, uses: 2 },
        { ...unscoped, uses: 3 },
        { ...scoped, uses: 4 },
      ),
    },
  ],
  violates: [
    {
      name: 'a list of scopes without an id of the key, which both get',
      given: identities(permitting, permitting, permitting, permitting),
    },
    {
      name: 'an end of the other key',
      given: {
        ...same,
        exchanges: [
          ...same.exchanges,
          exampleExchange({ step: 'foreignPart', status: 200, body: '{"last4":"ab12"}' }),
        ],
      },
    },
    { name: 'always that of the owner', given: identities(scoped, scoped, scoped, scoped) },
    {
      name: 'now its own and now the other one, which both keys get',
      given: identities(unscoped, { ...scoped, label: 'b' }, unscoped, { ...scoped, label: 'b' }),
    },
    {
      name: 'that of the other key for the scoped one, which gets its own the next time',
      given: identities(unscoped, unscoped, unscoped, scoped),
    },
    {
      name: 'that of the key which used the connection first',
      given: atOnce(
        identities({ last4: 'ab12' }, { last4: 'ab12' }, { last4: 'cd34' }, { last4: 'ab12' }),
        'ab12',
        'cd34',
      ),
    },
    { name: 'that of the key before', given: identities(scoped, unscoped, unscoped, unscoped) },
  ],
  inconclusive: [
    { name: 'all keys of an installation share one', given: identities(shared, shared, shared, shared) },
    {
      name: 'both get the same, which lists the scopes that an account may grant',
      given: identities(granting, granting, granting, granting),
    },
    {
      name: 'both get the same but for the number of uses',
      given: identities(
        { ...shared, uses: 1 },
        { ...shared, uses: 2 },
        { ...shared, uses: 3 },
        { ...shared, uses: 4 },
      ),
    },
    {
      name: 'one identity for all keys, and the name of the server behind the connection',
      given: atOnce(
        identities({ last4: 'node1' }, { last4: 'node1' }, { last4: 'node2' }, { last4: 'node1' }),
        'node2',
        'node2',
      ),
    },
    { name: 'nothing was sent', given: { operation, exchanges: [] } },
  ],
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

/** With one more call of each key at once, on fresh connections. */
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
