import { setTimeout } from 'node:timers/promises';
import { unlessInconclusive } from '../requests/inconclusive-error.ts';
import { CaseClient } from './case-client.ts';
import type { RunContext } from './run-context.ts';

/** Milliseconds that an interrupted run spends on it. */
const longestMs = 1_200;

/** Cancels the sessions that the run created and that are still open. */
export async function cancelOpenSessions(context: RunContext): Promise<void> {
  const cancel = context.contract.withRole('ends-session');
  if (cancel === undefined || context.readOnly) return;
  const cancelled = Promise.all(
    context.sessions.list().map(async (sessionId) => {
      const client = new CaseClient(context, 'cleanup', cancel, context.part);
      try {
        // A session that cannot be cancelled expires by itself.
        await unlessInconclusive(() =>
          client.call({
            role: 'cleanup',
            label: 'cancels what is still open',
            // An interrupted run does not wait for the rate.
            ...(context.interruption.isRequested ? { urgent: true } : {}),
            parameters: { sessionId },
          }),
        );
      } finally {
        await client.close();
      }
    }),
  );
  await (context.interruption.isRequested
    ? Promise.race([cancelled, setTimeout(longestMs, undefined, { ref: false })])
    : cancelled);
}
