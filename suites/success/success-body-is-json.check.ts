import type { PassiveCheck } from '../../harness/checks/check.ts';
import { everyAnswer } from '../../harness/checks/every-answer.ts';
import { jsonFault, testableStatus } from '../../harness/checks/json-fault.ts';

export const check: PassiveCheck = everyAnswer({
  requirement: 'SUCCESS-2',
  title: 'a 200 response carries well-formed JSON in UTF-8 under a JSON media type',
  statement: 'The body of a 200 response is not JSON',
  expected: 'well-formed JSON in UTF-8 under a JSON media type',
  look: (exchange) => (testableStatus(exchange) === 200 ? (jsonFault(exchange) ?? 'holds') : undefined),
  clauseOf: (_exchange, { responseSchema }) =>
    responseSchema === undefined ? 'undocumented-operation' : undefined,
});
