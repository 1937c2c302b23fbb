import type { ActiveCheck } from '../../harness/checks/check.ts';
import { InconclusiveError } from '../../harness/requests/inconclusive-error.ts';
import { noWayAround } from './no-way-around.ts';
import { isPrivate, misplacedKeys, waysWithoutKey } from './ways-around.ts';

// In a quick run, auth/missing-credentials-are-refused sends the ways around.
export const check: ActiveCheck = noWayAround({
  requirement: 'AUTH-2',
  title:
    'a valid key is accepted only in its header: not in the query, a cookie, another header or the body, and nothing else in a call replaces it',
  applies: (operation) => operation.auth === 'api-key',
  needs: () => ['scoped-key', 'valid-call'],
  key: 'none',
  label: 'without a key in its header',
  status: 401,
  subject: 'A call without a key in the Authorization header',
  waysFor: (client, valid) => {
    // Servers and proxies write URLs into their logs.
    if (!isPrivate(client.baseUrl))
      throw new InconclusiveError(
        'a key in a URL could be read in transit, because the target is not reached over https',
        { remedy: 'baseUrl: https://<the host of the target>' },
      );
    return [...misplacedKeys(client, valid), ...waysWithoutKey(client)];
  },
});
