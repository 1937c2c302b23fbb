import type { PassiveCheck } from '../../harness/checks/check.ts';
import { mayHaveLeftTheOperation, statusOf } from '../../harness/evidence/answer.ts';
import { documentedStatuses } from '../../harness/evidence/coverage-ledger.ts';

const check: PassiveCheck = {
  kind: 'passive',
  requirement: 'STATUS-1',
  title: 'every answer has one of the seven documented statuses',
  applies: () => true,
  notApplicableReason: () => undefined,
  evaluate: (exchange) => {
    const status = statusOf(exchange);
    if (mayHaveLeftTheOperation(exchange) || status === undefined) return undefined;
    if (documentedStatuses.includes(status)) return 'holds';
    return {
      statement: 'every answer has a documented status',
      expected: 'one of 200, 400, 401, 403, 404, 409, 429',
      actual: String(status),
      exchange,
    };
  },
};

export default check;
