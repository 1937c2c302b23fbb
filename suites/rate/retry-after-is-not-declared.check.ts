import type { PassiveCheck } from '../../harness/checks/check.ts';
import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import { headerOf, statusOf } from '../../harness/evidence/answer.ts';

const operation = exampleOperation();

const check: PassiveCheck = {
  kind: 'passive',
  requirement: 'RATE-3',
  title: 'a 429 comes without the undeclared Retry-After',
  applies: () => true,
  notApplicableReason: () => 'the target did not throttle here',
  evaluate: (exchange) => {
    if (statusOf(exchange) !== 429) return undefined;
    if (headerOf(exchange, 'retry-after') === undefined) return 'holds';
    return {
      statement: 'a 429 comes without Retry-After, on which no client may rely',
      expected: 'no Retry-After',
      actual: 'a Retry-After header',
      exchange,
    };
  },
  examples: [
    { name: 'without', given: { operation, exchange: exampleExchange({ status: 429 }) }, says: 'pass' },
    {
      name: 'with',
      given: { operation, exchange: exampleExchange({ status: 429, headers: { 'retry-after': '1' } }) },
      says: 'violated',
    },
    {
      name: 'on another status',
      given: { operation, exchange: exampleExchange({ status: 404, headers: { 'retry-after': '1' } }) },
      says: 'nothing',
    },
  ],
};

export default check;
