import type { PassiveCheck } from '../../harness/checks/check.ts';
import { isWrittenOtherwise, statusOf } from '../../harness/evidence/answer.ts';

const check: PassiveCheck = {
  kind: 'passive',
  requirement: 'AUTH-2',
  title: 'no call without credentials is answered with 200, whichever check sent it',
  applies: (operation) => operation.auth === 'api-key',
  notApplicableReason: () => 'no other check sent such a call',
  evaluate: (exchange) => {
    const { case: sender, request } = exchange;
    // That check reports its own calls, with a control beside them.
    if (request.credential.kind !== 'none' || sender.check === 'auth/missing-credentials-are-refused')
      return undefined;
    const status = statusOf(exchange);
    if (status === undefined || status === 429 || isWrittenOtherwise(exchange)) return undefined;
    if (status !== 200) return 'holds';
    return { statement: 'A call without credentials was accepted', expected: '401', actual: '200', exchange };
  },
};

export default check;
