import type { Operation } from '../../spec/operation.ts';
import { statusOf } from '../evidence/answer.ts';
import type { Capture } from '../model/target.ts';
import { valueAt } from '../requests/json-pointer.ts';
import type { RunContext } from '../requests/run-context.ts';
import { likelySessionId } from '../requests/session-id.ts';
import { askOnce } from './preflight.ts';

/** Texts of an answer that are tried before the session id counts as unknown. */
const mostTries = 8;

/**
 * Where the answer to a create holds the session id, when its name does not tell: of the texts at these pointers, the
 * first by which a session can be read. Undefined where there is no need to look, or where anything at all can be read.
 */
export async function findSessionId(
  context: RunContext,
  create: Operation,
  answer: unknown,
  pointers: readonly string[],
): Promise<Capture | undefined> {
  if (context.known.capture('sessionId') !== undefined || likelySessionId(answer) !== undefined)
    return undefined;
  const { scoped } = context.keys;
  const read = context.contract.withRole('reads-session');
  if (scoped === undefined || read === undefined) return undefined;
  const isRead = async (sessionId: string): Promise<boolean> => {
    const exchange = await askOnce(context, read, 'looks for the session id', scoped, {
      parameters: { sessionId },
    });
    return exchange !== undefined && statusOf(exchange) === 200;
  };
  if (await isRead('conformance-unknown-session')) return undefined;
  for (const pointer of pointers.slice(0, mostTries)) {
    const value = valueAt(answer, pointer);
    if (typeof value !== 'string' || value === '' || !(await isRead(value))) continue;
    return { from: create.id, pointer };
  }
  return undefined;
}
