import type { PassiveCheck } from '../../harness/checks/check.ts';
import { isWrittenOtherwise, statusOf } from '../../harness/evidence/answer.ts';

const check: PassiveCheck = {
  kind: 'passive',
  requirement: 'SCOPE-1',
  title: 'no call with a key without the scope is answered with 200, whichever check sent it',
  applies: (operation) => operation.scope !== undefined,
  notApplicableReason: () => 'no other check sent such a call',
  evaluate: (exchange) => {
    const { case: sender, request } = exchange;
    // That check reports its own calls, with a control beside them.
    if (request.credential.kind !== 'unscoped' || sender.check === 'scope/missing-scope-is-forbidden')
      return undefined;
    const status = statusOf(exchange);
    if (status === undefined || status === 429 || isWrittenOtherwise(exchange)) return undefined;
    if (status !== 200) return 'holds';
    return { statement: 'A key without the scope was accepted', expected: '403', actual: '200', exchange };
  },
};

export default check;
