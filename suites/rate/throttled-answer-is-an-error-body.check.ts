import type { PassiveCheck } from '../../harness/checks/check.ts';
import { jsonFault } from '../../harness/checks/json-fault.ts';
import { describeBody, statusOf } from '../../harness/evidence/answer.ts';

export const check: PassiveCheck = {
  kind: 'passive',
  requirement: 'RATE-1',
  title: 'a 429 response carries a PublicErrorResponse, with or without Retry-After',
  applies: () => true,
  notApplicableReason: () => 'the target did not throttle here',
  evaluate: (exchange) => {
    const { response } = exchange;
    if (response === undefined || statusOf(exchange) !== 429) return undefined;
    const actual =
      jsonFault(exchange) ?? (response.body.json === 'object' ? undefined : describeBody(response.body));
    if (actual === undefined) return 'holds';
    return {
      statement: 'The body of a 429 response is not a PublicErrorResponse',
      expected: 'a JSON object in UTF-8 under a JSON media type',
      actual,
      exchange,
    };
  },
};
