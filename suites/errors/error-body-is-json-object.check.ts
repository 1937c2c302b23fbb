import type { PassiveCheck } from '../../harness/checks/check.ts';
import { everyAnswer, noErrorSeen } from '../../harness/checks/every-answer.ts';
import { errorBodyFault, testableStatus } from '../../harness/checks/json-fault.ts';
import { mayBeRefusedInFront, refusedInFront } from '../../harness/evidence/answer.ts';

export const check: PassiveCheck = everyAnswer({
  requirement: 'ERROR-1',
  title: 'every error response carries a JSON object in UTF-8 under a JSON media type',
  notApplicableReason: noErrorSeen,
  mayDependOnHeaders: true,
  statement: ({ response }) => `The body of a ${response?.status} response is not a PublicErrorResponse`,
  expected: 'a JSON object in UTF-8 under a JSON media type',
  look: (exchange) =>
    (testableStatus(exchange) ?? 0) < 400 ? undefined : (errorBodyFault(exchange) ?? 'holds'),
  clauseOf: (exchange, { scope }) =>
    mayBeRefusedInFront(exchange, scope !== undefined) ? refusedInFront : undefined,
});
