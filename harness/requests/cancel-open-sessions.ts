import { Caller } from './case-client.ts';
import type { Workbench } from './run-context.ts';
import { CannotJudge } from './inconclusive-error.ts';

/** Cancels the sessions that the run opened and that are open still. */
export async function cancelOpenSessions(bench: Workbench): Promise<void> {
  const cancel = bench.contract.operations.find(({ id }) => id === 'cancelHostedCheckoutSession');
  if (cancel === undefined || bench.readOnly) return;
  await Promise.all(
    bench.sessions.list().map(async (sessionId) => {
      const caller = new Caller(bench, 'cleanup', cancel, bench.part);
      try {
        await caller.call({
          role: 'cleanup',
          label: 'cancels what is still open',
          parameters: { sessionId },
        });
      } catch (error) {
        // A session that cannot be cancelled is left to its own time-out.
        if (!(error instanceof CannotJudge)) throw error;
      } finally {
        await caller.close();
      }
    }),
  );
}
