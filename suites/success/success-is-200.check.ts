import type { PassiveCheck } from '../../harness/checks/check.ts';
import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import { mayHaveLeftTheOperation, statusOf } from '../../harness/evidence/answer.ts';

const operation = exampleOperation();

const check: PassiveCheck = {
  kind: 'passive',
  requirement: 'SUCCESS-1',
  title: 'success is 200, never another 2xx or a redirect',
  applies: () => true,
  notApplicableReason: () => undefined,
  evaluate: (exchange) => {
    const status = statusOf(exchange);
    if (mayHaveLeftTheOperation(exchange) || status === undefined || status >= 400) return undefined;
    if (status === 200) return 'holds';
    return { statement: 'success is answered with 200', expected: '200', actual: String(status), exchange };
  },
  examples: [
    { name: '200', given: { operation, exchange: exampleExchange({ status: 200 }) }, says: 'pass' },
    { name: '201', given: { operation, exchange: exampleExchange({ status: 201 }) }, says: 'violated' },
    {
      name: 'a redirect',
      given: { operation, exchange: exampleExchange({ status: 307 }) },
      says: 'violated',
    },
    { name: 'an error', given: { operation, exchange: exampleExchange({ status: 404 }) }, says: 'nothing' },
  ],
};

export default check;
