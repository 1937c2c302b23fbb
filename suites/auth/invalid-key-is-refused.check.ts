import { attemptControl } from '../../harness/checks/attempt-control.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import { judgeRefusals } from '../../harness/checks/refusal.ts';

const control = exampleExchange({ role: 'control', status: 200 });

const check: ActiveCheck = {
  kind: 'active',
  requirement: 'AUTH-3',
  title: 'a key that is not a key is answered 401: unknown, empty, malformed, and near misses of a good one',
  applies: (operation) => operation.auth === 'api-key',
  needs: () => ['scoped-key', 'valid-call'],
  requests: () => 12,
  probe: async (caller) => {
    const missing = await attemptControl(caller, { label: 'valid call with the key' });
    for (const credential of caller.keys.invalid) {
      await caller.call({ role: 'probe', label: credential.description, credential, placeholders: true });
    }
    if (missing !== undefined) throw missing;
  },
  judge: ({ exchanges }) =>
    judgeRefusals(exchanges, {
      status: 401,
      namesProbes: true,
      statement: () => 'what is not a good key is refused',
    }),
  examples: [
    {
      name: 'refused with 401',
      given: {
        operation: exampleOperation(),
        exchanges: [control, exampleExchange({ status: 401, credential: 'invalid' })],
      },
      says: 'pass',
    },
    {
      name: 'a near miss is let in',
      given: {
        operation: exampleOperation(),
        exchanges: [control, exampleExchange({ status: 200, credential: 'invalid' })],
      },
      says: 'violated',
    },
    {
      name: 'refused with 400',
      given: {
        operation: exampleOperation(),
        exchanges: [control, exampleExchange({ status: 400, credential: 'invalid' })],
      },
      says: 'violated',
    },
    {
      name: 'the good key is refused as well',
      given: {
        operation: exampleOperation(),
        exchanges: [
          exampleExchange({ role: 'control', status: 401 }),
          exampleExchange({ status: 401, credential: 'invalid' }),
        ],
      },
      says: 'inconclusive',
    },
  ],
};

export default check;
