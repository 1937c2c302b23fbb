import { valueAt } from '../requests/json-pointer.ts';
import { likelySessionId } from '../requests/session-id.ts';
import type { Workbench } from '../requests/run-context.ts';
import { statusOf } from '../evidence/answer.ts';
import { askOnce, operationOf } from './preflight.ts';
import type { Capture } from '../model/target.ts';

const create = 'createHostedCheckoutSession';
/** Texts of an answer that are tried before the session id counts as unknown. */
const mostTries = 8;

/**
 * Where the answer to a create holds the session id, when its name does not tell: of the texts at these pointers, the
 * first by which a session can be read. Undefined where there is no need to look, or where anything at all can be read.
 */
export async function findSessionId(
  bench: Workbench,
  answer: unknown,
  pointers: readonly string[],
): Promise<Capture | undefined> {
  if (bench.known.capture('sessionId') !== undefined || likelySessionId(answer) !== undefined)
    return undefined;
  const { scoped } = bench.keys;
  if (scoped === undefined) return undefined;
  const isRead = async (sessionId: string): Promise<boolean> => {
    const read = operationOf(bench, 'getHostedCheckoutSession');
    const exchange = await askOnce(bench, read, 'looks for the session id', scoped, {
      parameters: { sessionId },
    });
    return exchange !== undefined && statusOf(exchange) === 200;
  };
  if (await isRead('conformance-unknown-session')) return undefined;
  for (const pointer of pointers.slice(0, mostTries)) {
    const value = valueAt(answer, pointer);
    if (typeof value !== 'string' || value === '' || !(await isRead(value))) continue;
    return { from: create, pointer };
  }
  return undefined;
}
