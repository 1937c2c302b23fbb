import { attemptControl } from '../../harness/checks/attempt-control.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive } from '../../harness/checks/outcomes.ts';
import { evaluateRefusals } from '../../harness/checks/refusal.ts';
import { statusOf } from '../../harness/evidence/answer.ts';

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
};

export default check;
