import { statusOf } from '../../harness/evidence/answer.ts';
import { isMalformed, isStructural, mayBeReadAs } from '../../harness/fuzzing/path-segment.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { declaresAsItsOwn, type Operation } from '../../spec/operation.ts';

/**
 * Whether a path value may get this response. A value that the grammar does not allow may be refused in any way, and a
 * value that names no resource may lead to any route; neither may break the target.
 */
export function isAllowedAnswer(
  operation: Operation,
  raw: string,
  known: string,
  exchange: Exchange,
): boolean {
  const status = statusOf(exchange);
  if (isMalformed(raw)) return status === 200 || (status !== undefined && status >= 300 && status < 500);
  if (status === 409) return operation.role === 'ends-session' && mayBeReadAs(raw, known);
  if (status === undefined) return false;
  return [200, 400, 404].includes(status) || declaresAsItsOwn(operation, status);
}

/** Whether the value may have led to a route that is not published and refuses strangers. */
export function mayBeElsewhere(raw: string, exchange: Exchange): boolean {
  return isStructural(raw) && [401, 403].includes(statusOf(exchange) ?? 0);
}
