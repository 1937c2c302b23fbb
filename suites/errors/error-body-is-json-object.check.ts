import type { PassiveCheck } from '../../harness/checks/check.ts';
import { errorBodyFault, hasTestableBody } from '../../harness/checks/json-fault.ts';

const check: PassiveCheck = {
  kind: 'passive',
  requirement: 'ERROR-1',
  title: 'every error answer carries a JSON object in UTF-8 under a JSON media type',
  applies: () => true,
  notApplicableReason: ({ auth, pathParameters, requestSchema }) =>
    auth === 'none' && pathParameters.length === 0 && requestSchema === undefined
      ? 'a public read without parameters need never answer an error, and none was seen'
      : undefined,
  evaluate: (exchange) => {
    const { response } = exchange;
    if (response === undefined || response.status < 400 || !hasTestableBody(exchange)) return undefined;
    const actual = errorBodyFault(exchange);
    if (actual === undefined) return 'holds';
    return {
      statement: `a ${response.status} carries a PublicErrorResponse`,
      expected: 'a JSON object in UTF-8 under a JSON media type',
      actual,
      exchange,
    };
  },
};

export default check;
