import type { PassiveCheck } from '../../harness/checks/check.ts';
import { everyAnswer } from '../../harness/checks/every-answer.ts';
import { mayBeAnotherRoute, statusOf } from '../../harness/evidence/answer.ts';

export const check: PassiveCheck = everyAnswer({
  requirement: 'STATUS-1',
  title: 'every response has a declared status',
  statement: 'A response has an undeclared status',
  expected: ({ statuses }) => `one of ${statuses.join(', ')}`,
  look: (exchange, { statuses }) => {
    const status = statusOf(exchange);
    if (mayBeAnotherRoute(exchange) || status === undefined) return undefined;
    return statuses.includes(status) ? 'holds' : String(status);
  },
});
