import { attemptControl } from '../../harness/checks/attempt-control.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import { evaluateRefusals } from '../../harness/checks/refusal.ts';

const control = exampleExchange({ role: 'control', status: 200 });

const check: ActiveCheck = {
  kind: 'active',
  requirement: 'AUTH-2',
  title: 'a call without credentials is answered 401, also on a connection that was authenticated before',
  applies: (operation) => operation.auth === 'api-key',
  needs: () => ['scoped-key', 'valid-call'],
  requests: () => 3,
  probe: async (client) => {
    const connection = client.openConnection();
    const missing = await attemptControl(client, {
      label: 'valid call with the key',
      connection: connection,
    });
    const anonymous = { role: 'probe', credential: client.keys.none, placeholders: true } as const;
    await client.call({
      ...anonymous,
      label: 'without credentials, on the connection of the valid call',
      connection: connection,
    });
    await client.call({
      ...anonymous,
      label: 'without credentials, on a fresh connection',
      connection: 'fresh',
    });
    if (missing !== undefined) throw missing;
  },
  evaluate: ({ exchanges }) =>
    evaluateRefusals(exchanges, {
      status: 401,
      statement: ({ request }) =>
        request.connection === 'reused'
          ? 'a call without credentials is refused on an already authenticated connection'
          : 'a call without credentials is refused',
    }),
  examples: [
    {
      name: 'refused on both connections',
      given: {
        operation: exampleOperation(),
        exchanges: [
          control,
          exampleExchange({ status: 401, credential: 'none', connection: 'reused' }),
          exampleExchange({ status: 401, credential: 'none', connection: 'fresh' }),
        ],
      },
      says: 'pass',
    },
    {
      name: 'let in on the connection that was authenticated',
      given: {
        operation: exampleOperation(),
        exchanges: [control, exampleExchange({ status: 200, credential: 'none', connection: 'reused' })],
      },
      says: 'violated',
    },
    {
      name: 'refused with 403',
      given: {
        operation: exampleOperation(),
        exchanges: [control, exampleExchange({ status: 403, credential: 'none' })],
      },
      says: 'violated',
    },
    {
      name: 'refused, but no valid call is known',
      given: {
        operation: exampleOperation(),
        exchanges: [exampleExchange({ status: 401, credential: 'none' })],
      },
      says: 'inconclusive',
    },
    {
      name: 'let in though no valid call is known',
      given: {
        operation: exampleOperation(),
        exchanges: [exampleExchange({ status: 200, credential: 'none' })],
      },
      says: 'violated',
    },
  ],
};

export default check;
