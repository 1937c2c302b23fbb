import { statusOf } from '../evidence/answer.ts';
import type { RunContext } from '../requests/run-context.ts';
import { askOnce } from './preflight.ts';

/**
 * Whether the unscoped key is the one that holds catalog:read: of the two keys, only the scoped one is forbidden to read a
 * session that nobody opened. Undefined where a key is missing or where the target looks for the session first.
 */
export async function keysAreSwapped(context: RunContext): Promise<boolean | undefined> {
  const { scoped, unscoped } = context.keys;
  const operation = context.contract.withRole('reads-session');
  if (scoped === undefined || unscoped === undefined || operation === undefined) return undefined;
  const [first, second] = await Promise.all(
    [scoped, unscoped].map(async (credential) => {
      const exchange = await askOnce(context, operation, 'looks for the scope', credential, {
        parameters: { sessionId: '5f0c7a52-6f0e-4f6c-9c1b-0d5b7c1f2a34' },
      });
      return exchange && statusOf(exchange);
    }),
  );
  if (first === undefined || second === undefined || first === second) return undefined;
  if (first === 403) return second !== 401;
  return second === 403 ? false : undefined;
}
