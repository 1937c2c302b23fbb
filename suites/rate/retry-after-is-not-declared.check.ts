import type { PassiveCheck } from '../../harness/checks/check.ts';
import { headerOf, statusOf } from '../../harness/evidence/answer.ts';

export const check: PassiveCheck = {
  kind: 'passive',
  requirement: 'RATE-3',
  title: 'a 429 response has no Retry-After header, which is not declared',
  applies: () => true,
  notApplicableReason: () => 'the target did not throttle here',
  evaluate: (exchange) => {
    if (statusOf(exchange) !== 429) return undefined;
    if (headerOf(exchange, 'retry-after') === undefined) return 'holds';
    return {
      statement: 'A 429 response has a Retry-After header, on which no client may rely',
      expected: 'no Retry-After',
      actual: 'a Retry-After header',
      exchange,
    };
  },
};
