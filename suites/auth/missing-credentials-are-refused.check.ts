import { attemptControl } from '../../harness/checks/attempt-control.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { evaluateRefusals } from '../../harness/checks/refusal.ts';

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
};

export default check;
