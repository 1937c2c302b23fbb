import type { PassiveCheck } from '../../harness/checks/check.ts';
import { everyAnswer } from '../../harness/checks/every-answer.ts';
import { mayBeAnotherRoute, statusOf } from '../../harness/evidence/answer.ts';

export const check: PassiveCheck = everyAnswer({
  requirement: 'AUTH-1',
  title: 'no public read without credentials is answered with 401, regardless of the check that sent it',
  applies: (operation) => operation.auth === 'none',
  notApplicableReason: () => 'no other check sent such a call',
  statement: 'A public read was refused without credentials',
  expected: '200, or 404 where the resource does not exist',
  look: (exchange) => {
    const { case: sender, request } = exchange;
    // That check reports its own calls; a cookie may be an expired credential, which CLIENT-1 evaluates.
    if (request.credential.kind !== 'none' || sender.check === 'auth/public-read-needs-no-credentials')
      return undefined;
    if (request.headers.some(([name]) => name === 'cookie')) return undefined;
    const status = statusOf(exchange);
    if (status === undefined || status === 429 || mayBeAnotherRoute(exchange)) return undefined;
    return status === 401 ? '401' : 'holds';
  },
});
