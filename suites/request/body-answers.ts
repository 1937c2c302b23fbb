import { sentBody } from '../../harness/checks/vary-body.ts';
import { statusOf } from '../../harness/evidence/answer.ts';
import { jsonAt, jsonLeaves } from '../../harness/fuzzing/json-places.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Json } from '../../harness/model/target.ts';
import { declaresAsItsOwn, type Operation } from '../../spec/operation.ts';

/**
 * Whether any body may get this response. 401 and 403 concern the key and its scopes: they are wrong only where the body
 * names the same things as the valid one, as other things may belong to others, and the operation does not verify logins.
 */
export function mayAnswerAnyBody(
  operation: Operation,
  exchange: Exchange,
  valid: Exchange | undefined,
): boolean {
  const status = statusOf(exchange) ?? 0;
  if ([200, 400, 404, 409].includes(status) || declaresAsItsOwn(operation, status)) return true;
  if (status !== 401 && status !== 403) return false;
  return operation.role === 'consumes-login' || !namesTheSame(valid, exchange);
}

function namesTheSame(valid: Exchange | undefined, exchange: Exchange): boolean {
  const known = valid && sentBody(valid);
  const sent = sentBody(exchange);
  if (known === undefined || sent === undefined) return false;
  try {
    const body = JSON.parse(sent.text.replace(/^\ufeff/, '')) as Json;
    return jsonLeaves(JSON.parse(known.text) as Json).every(
      ({ path, value }) => jsonAt(body, path) === value,
    );
  } catch {
    return false;
  }
}
