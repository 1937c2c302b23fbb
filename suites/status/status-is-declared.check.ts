import type { PassiveCheck } from '../../harness/checks/check.ts';
import { everyAnswer } from '../../harness/checks/every-answer.ts';
import { mayBeAnotherRoute, statusOf } from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';

export const check: PassiveCheck = everyAnswer({
  requirement: 'STATUS-1',
  title: 'every response has a declared status',
  statement: 'A response has an undeclared status',
  expected: ({ statuses }) => `one of ${statuses.join(', ')}`,
  look: (exchange, { statuses }) => {
    const status = statusOf(exchange);
    if (hasCrashedElsewhere(exchange)) return String(status);
    if (mayBeAnotherRoute(exchange) || status === undefined) return undefined;
    return statuses.includes(status) ? 'holds' : String(status);
  },
  clauseOf: (exchange) => (hasCrashedElsewhere(exchange) ? 'leads-elsewhere' : undefined),
});

/** Whether a call that something else than the operation may have answered met an unhandled exception. */
function hasCrashedElsewhere(exchange: Exchange): boolean {
  return exchange.row?.['route'] !== undefined && statusOf(exchange) === 500;
}
