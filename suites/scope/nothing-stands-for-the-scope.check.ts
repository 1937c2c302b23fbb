import { activeCheck } from '../../harness/checks/active-check.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { evaluateWays, probeWays, waySteps } from '../auth/refused-ways.ts';
import { waysWithoutKey } from '../auth/ways-around.ts';

const steps = waySteps('with a key without the scope');

const check: ActiveCheck = activeCheck({
  requirement: 'SCOPE-1',
  title: 'a key without the scope gets 403 whatever else the call says of itself',
  applies: ({ scope }) => scope !== undefined,
  needs: () => ['scoped-key', 'unscoped-key', 'valid-call'],
  weight: () => 'medium',
  steps,
  probe: async (client, operation) => {
    const { unscoped } = client.keys;
    if (unscoped === undefined) return;
    await probeWays(client, operation, steps, {
      credential: unscoped,
      status: 403,
      waysFor: () => waysWithoutKey,
    });
  },
  evaluate: ({ steps }) =>
    evaluateWays(steps, { refused: 403, headline: 'A key without the scope was accepted' }),
});

export default check;
