import type { PassiveCheck } from '../../harness/checks/check.ts';
import { everyAnswer } from '../../harness/checks/every-answer.ts';
import { headerOf, statusOf } from '../../harness/evidence/answer.ts';

export const check: PassiveCheck = everyAnswer({
  requirement: 'RATE-3',
  title: 'a 429 response has no Retry-After header, which the contract does not declare',
  notApplicableReason: () => 'the target did not throttle here',
  statement: 'A 429 response has a Retry-After header, on which no client may rely',
  expected: 'no Retry-After',
  look: (exchange) => {
    if (statusOf(exchange) !== 429) return undefined;
    return headerOf(exchange, 'retry-after') === undefined ? 'holds' : 'a Retry-After header';
  },
});
