import type { PassiveCheck } from '../../harness/checks/check.ts';
import { everyAnswer, noErrorSeen } from '../../harness/checks/every-answer.ts';
import { errorBodyFault, testableStatus } from '../../harness/checks/json-fault.ts';
import {
  headerOf,
  isJsonMediaType,
  mayBeRefusedInFront,
  refusedInFront,
} from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';

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
    mayBeRefusedInFront(exchange, scope !== undefined) && !isBrokenJson(exchange)
      ? refusedInFront
      : undefined,
});

/** Whether a body is JSON with a mistake in it: pages of servers and proxies are texts, or JSON that was written once for all calls. */
function isBrokenJson(exchange: Exchange): boolean {
  const { json, text = '' } = exchange.response?.body ?? {};
  return json === 'malformed' && isJsonMediaType(headerOf(exchange, 'content-type')) && text.startsWith('{');
}
