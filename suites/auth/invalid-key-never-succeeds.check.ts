import type { PassiveCheck } from '../../harness/checks/check.ts';
import { neverSucceeds } from './never-succeeds.ts';

const check: PassiveCheck = neverSucceeds({
  requirement: 'AUTH-3',
  title: 'no call with an invalid key is answered with 200, whichever check sent it',
  applies: (operation) => operation.auth === 'api-key',
  kind: 'invalid',
  reportedBy: 'auth/invalid-key-is-refused',
  statement: 'An invalid key was accepted',
  expected: '401',
});

export default check;
