import type { PassiveCheck } from '../../harness/checks/check.ts';
import { isWrittenOtherwise, statusOf } from '../../harness/evidence/answer.ts';

const check: PassiveCheck = {
  kind: 'passive',
  requirement: 'AUTH-3',
  title: 'no call with an invalid key is answered with 200, whichever check sent it',
  applies: (operation) => operation.auth === 'api-key',
  notApplicableReason: () => 'no other check sent such a call',
  evaluate: (exchange) => {
    const { case: sender, request } = exchange;
    // That check reports its own calls, with a control beside them.
    if (request.credential.kind !== 'invalid' || sender.check === 'auth/invalid-key-is-refused')
      return undefined;
    const status = statusOf(exchange);
    if (status === undefined || status === 429 || isWrittenOtherwise(exchange)) return undefined;
    if (status !== 200) return 'holds';
    return { statement: 'An invalid key was accepted', expected: '401', actual: '200', exchange };
  },
};

export default check;
