import type { PassiveCheck } from '../../harness/checks/check.ts';
import { neverSucceeds } from '../auth/never-succeeds.ts';

const check: PassiveCheck = neverSucceeds({
  requirement: 'SCOPE-1',
  title: 'no call with a key without the scope is answered with 200, whichever check sent it',
  applies: (operation) => operation.scope !== undefined,
  kind: 'unscoped',
  reportedBy: 'scope/missing-scope-is-forbidden',
  statement: 'A key without the scope was accepted',
  expected: '403',
});

export default check;
