import type { ActiveCheck } from '../../harness/checks/check.ts';
import { noWayAround } from '../auth/no-way-around.ts';
import { waysWithoutKey } from '../auth/ways-around.ts';

export const check: ActiveCheck = noWayAround({
  requirement: 'SCOPE-1',
  title:
    'a key without the scope gets 403 regardless of anything else in the call that might grant the scope',
  applies: ({ scope }) => scope !== undefined,
  needs: () => ['scoped-key', 'unscoped-key', 'valid-call'],
  key: 'unscoped',
  label: 'with a key without the scope',
  status: 403,
  subject: 'A key without the scope',
  waysFor: waysWithoutKey,
});
