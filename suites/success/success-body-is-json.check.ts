import type { PassiveCheck } from '../../harness/checks/check.ts';
import { hasTestableBody, jsonFault } from '../../harness/checks/json-fault.ts';

export const check: PassiveCheck = {
  kind: 'passive',
  requirement: 'SUCCESS-2',
  title: 'a 200 response carries well-formed JSON in UTF-8 under a JSON media type',
  applies: () => true,
  notApplicableReason: () => undefined,
  evaluate: (exchange, { responseSchema }) => {
    if (exchange.response?.status !== 200 || !hasTestableBody(exchange)) return undefined;
    const actual = jsonFault(exchange);
    if (actual === undefined) return 'holds';
    return {
      statement: 'The body of a 200 response is not JSON',
      expected: 'well-formed JSON in UTF-8 under a JSON media type',
      actual,
      exchange,
      ...(responseSchema === undefined ? { clause: 'undocumented-operation' } : {}),
    };
  },
};
