import type { PassiveCheck } from '../../harness/checks/check.ts';
import { mayBeAnotherRoute, statusOf } from '../../harness/evidence/answer.ts';

export const check: PassiveCheck = {
  kind: 'passive',
  requirement: 'STATUS-1',
  title: 'every response has a declared status',
  applies: () => true,
  notApplicableReason: () => undefined,
  evaluate: (exchange, { statuses }) => {
    const status = statusOf(exchange);
    if (mayBeAnotherRoute(exchange) || status === undefined) return undefined;
    if (statuses.includes(status)) return 'holds';
    return {
      statement: 'A response has an undeclared status',
      expected: `one of ${statuses.join(', ')}`,
      actual: String(status),
      exchange,
    };
  },
};
