import type { PassiveCheck } from '../../harness/checks/check.ts';
import { mayBeAnotherRoute, statusOf } from '../../harness/evidence/answer.ts';

const check: PassiveCheck = {
  kind: 'passive',
  requirement: 'STATUS-1',
  title: 'every answer has one of the seven documented statuses',
  applies: () => true,
  notApplicableReason: () => undefined,
  evaluate: (exchange, { statuses }) => {
    const status = statusOf(exchange);
    if (mayBeAnotherRoute(exchange) || status === undefined) return undefined;
    if (statuses.includes(status)) return 'holds';
    return {
      statement: 'every answer has a documented status',
      expected: `one of ${statuses.join(', ')}`,
      actual: String(status),
      exchange,
    };
  },
};

export default check;
