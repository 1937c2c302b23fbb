import type { PassiveCheck } from '../../harness/checks/check.ts';
import { errorBodyFault, hasTestableBody } from '../../harness/checks/json-fault.ts';
import { noErrorSeen } from '../../harness/checks/no-error-seen.ts';
import { mayBeRefusedInFront, refusedInFront } from '../../harness/evidence/answer.ts';

export const check: PassiveCheck = {
  kind: 'passive',
  requirement: 'ERROR-1',
  title: 'every error response carries a JSON object in UTF-8 under a JSON media type',
  applies: () => true,
  notApplicableReason: noErrorSeen,
  evaluate: (exchange, { scope }) => {
    const { response } = exchange;
    if (response === undefined || response.status < 400 || !hasTestableBody(exchange)) return undefined;
    const actual = errorBodyFault(exchange);
    if (actual === undefined) return 'holds';
    return {
      statement: `The body of a ${response.status} response is not a PublicErrorResponse`,
      expected: 'a JSON object in UTF-8 under a JSON media type',
      actual,
      ...(mayBeRefusedInFront(exchange, scope !== undefined) ? { clause: refusedInFront } : {}),
      exchange,
    };
  },
};
