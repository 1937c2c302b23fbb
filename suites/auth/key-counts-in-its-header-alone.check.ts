import { activeCheck } from '../../harness/checks/active-check.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { InconclusiveError } from '../../harness/requests/inconclusive-error.ts';
import { evaluateWays, probeWays, waySteps } from './refused-ways.ts';
import { isPrivate, misplacedKeys, waysWithoutKey } from './ways-around.ts';

const steps = waySteps('without a key in its header');

const check: ActiveCheck = activeCheck({
  requirement: 'AUTH-2',
  title:
    'a good key in the query, a cookie, another header or the body is no credential, nor is what else goes with a call',
  applies: (operation) => operation.auth === 'api-key',
  needs: () => ['scoped-key', 'valid-call'],
  // In a quick run, auth/missing-credentials-are-refused sends the ways around.
  weight: () => 'medium',
  steps,
  probe: async (client, operation) => {
    const { scoped, none } = client.keys;
    if (scoped === undefined) return;
    // Servers and proxies write URLs into their logs.
    if (!isPrivate(client.baseUrl))
      throw new InconclusiveError(
        'a key in a URL may be read on the way, as the target is not reached by https',
        {
          remedy: 'baseUrl: https://<the host of the target>',
        },
      );
    await probeWays(client, operation, steps, {
      credential: none,
      status: 401,
      waysFor: (valid) => [...misplacedKeys(scoped, valid), ...waysWithoutKey],
    });
  },
  evaluate: ({ steps }) =>
    evaluateWays(steps, {
      refused: 401,
      headline: 'A call without a key in the Authorization header was accepted',
    }),
});

export default check;
