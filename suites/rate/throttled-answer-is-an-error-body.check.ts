import type { PassiveCheck } from '../../harness/checks/check.ts';
import { everyAnswer } from '../../harness/checks/every-answer.ts';
import { errorBodyFault } from '../../harness/checks/json-fault.ts';
import { statusOf } from '../../harness/evidence/answer.ts';

export const check: PassiveCheck = everyAnswer({
  requirement: 'RATE-1',
  title: 'a 429 response carries a PublicErrorResponse, with or without Retry-After',
  notApplicableReason: () => 'the target did not throttle here',
  statement: 'The body of a 429 response is not a PublicErrorResponse',
  expected: 'a JSON object in UTF-8 under a JSON media type',
  look: (exchange) => (statusOf(exchange) === 429 ? (errorBodyFault(exchange) ?? 'holds') : undefined),
});
