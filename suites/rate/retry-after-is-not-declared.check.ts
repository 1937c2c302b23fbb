import type { PassiveCheck } from '../../harness/checks/check.ts';
import { headerOf, statusOf } from '../../harness/evidence/answer.ts';

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
};

export default check;
