import type { PassiveCheck } from '../../harness/checks/check.ts';
import { neverSucceeds } from './never-succeeds.ts';

const check: PassiveCheck = neverSucceeds({
  requirement: 'AUTH-2',
  title: 'no call without credentials is answered with 200, whichever check sent it',
  applies: (operation) => operation.auth === 'api-key',
  kind: 'none',
  reportedBy: 'auth/missing-credentials-are-refused',
  statement: 'A call without credentials was accepted',
  expected: '401',
});

export default check;
