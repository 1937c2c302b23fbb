import type { PassiveCheck } from '../../harness/checks/check.ts';
import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import { mayHaveLeftTheOperation, statusOf } from '../../harness/evidence/answer.ts';
import { documentedStatuses } from '../../harness/evidence/coverage-ledger.ts';

const operation = exampleOperation();

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
  examples: [
    { name: '200', given: { operation, exchange: exampleExchange({ status: 200 }) }, says: 'pass' },
    { name: '429', given: { operation, exchange: exampleExchange({ status: 429 }) }, says: 'pass' },
    { name: '500', given: { operation, exchange: exampleExchange({ status: 500 }) }, says: 'violated' },
    { name: '422', given: { operation, exchange: exampleExchange({ status: 422 }) }, says: 'violated' },
    {
      name: 'no answer',
      given: { operation, exchange: exampleExchange({ failure: 'timeout' }) },
      says: 'nothing',
    },
  ],
};

export default check;
