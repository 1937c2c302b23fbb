import type { PassiveCheck } from '../../harness/checks/check.ts';
import { everyAnswer } from '../../harness/checks/every-answer.ts';
import { mayBeAnotherRoute, statusOf } from '../../harness/evidence/answer.ts';

export const check: PassiveCheck = everyAnswer({
  requirement: 'SUCCESS-1',
  title: 'success is 200, never another 2xx or a redirect',
  statement: 'A success was answered with a status other than 200',
  expected: '200',
  look: (exchange) => {
    const status = statusOf(exchange);
    if (mayBeAnotherRoute(exchange) || status === undefined || status >= 400) return undefined;
    return status === 200 ? 'holds' : String(status);
  },
});
