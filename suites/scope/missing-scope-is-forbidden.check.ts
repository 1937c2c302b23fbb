import { attemptControl } from '../../harness/checks/attempt-control.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import { inconclusive } from '../../harness/checks/outcomes.ts';
import { evaluateRefusals } from '../../harness/checks/refusal.ts';
import { statusOf } from '../../harness/evidence/answer.ts';

const hosted = exampleOperation({
  id: 'initiateHostedLogin',
  method: 'POST',
  group: 'hosted',
  scope: 'catalog:read',
});
const control = exampleExchange({ role: 'control', status: 200 });

const check: ActiveCheck = {
  kind: 'active',
  requirement: 'SCOPE-1',
  title: 'a good key without the scope is answered 403',
  applies: (operation) => operation.scope !== undefined,
  needs: () => ['scoped-key', 'unscoped-key', 'valid-call'],
  requests: () => 3,
  probe: async (client) => {
    const { unscoped } = client.keys;
    if (unscoped === undefined) return;
    const missing = await attemptControl(client, { label: 'valid call with the scoped key' });
    const probe = await client.call({
      role: 'probe',
      label: 'the same call with a key without the scope',
      credential: unscoped,
      placeholders: true,
    });
    if (statusOf(probe) !== 403) {
      await client.call({
        role: 'witness',
        label: 'is the unscoped key accepted where no scope is needed?',
        operation: client.operation('getApiKeyIdentity'),
        credential: unscoped,
      });
    }
    if (missing !== undefined) throw missing;
  },
  evaluate: ({ exchanges }) => {
    const witness = exchanges.find(({ role }) => role === 'witness');
    const probe = exchanges.find(({ role }) => role === 'probe');
    if (
      probe !== undefined &&
      statusOf(probe) === 401 &&
      witness !== undefined &&
      statusOf(witness) === 401
    ) {
      return inconclusive(
        'the unscoped key is accepted nowhere',
        'keys: { unscoped: <a good key without catalog:read> }',
      );
    }
    return evaluateRefusals(exchanges, {
      status: 403,
      statement: () => 'a key without the scope is forbidden',
    });
  },
  examples: [
    {
      name: 'forbidden',
      given: {
        operation: hosted,
        exchanges: [control, exampleExchange({ status: 403, credential: 'unscoped' })],
      },
      says: 'pass',
    },
    {
      name: 'let in',
      given: {
        operation: hosted,
        exchanges: [control, exampleExchange({ status: 200, credential: 'unscoped' })],
      },
      says: 'violated',
    },
    {
      name: 'answered 401 though the key is good',
      given: {
        operation: hosted,
        exchanges: [
          control,
          exampleExchange({ status: 401, credential: 'unscoped' }),
          exampleExchange({ role: 'witness', status: 200, credential: 'unscoped' }),
        ],
      },
      says: 'violated',
    },
    {
      name: 'the key is no good anywhere',
      given: {
        operation: hosted,
        exchanges: [
          control,
          exampleExchange({ status: 401, credential: 'unscoped' }),
          exampleExchange({ role: 'witness', status: 401, credential: 'unscoped' }),
        ],
      },
      says: 'inconclusive',
    },
    {
      name: 'forbidden, but so is the key with the scope',
      given: {
        operation: hosted,
        exchanges: [
          exampleExchange({ role: 'control', status: 403 }),
          exampleExchange({ status: 403, credential: 'unscoped' }),
        ],
      },
      says: 'inconclusive',
    },
  ],
};

export default check;
