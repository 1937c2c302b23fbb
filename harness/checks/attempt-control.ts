import type { CallSpec } from '../requests/call-spec.ts';
import type { Caller } from '../requests/case-client.ts';
import { CannotJudge } from '../requests/inconclusive-error.ts';

/**
 * Makes the control call where a valid one is known. Where none is, gives the reason in place of throwing it, so that
 * the probes can still be sent: being let in without a good key is wrong even where no valid call is known.
 */
export async function attemptControl(
  caller: Caller,
  spec: Omit<CallSpec, 'role'>,
): Promise<CannotJudge | undefined> {
  try {
    await caller.call({ role: 'control', ...spec });
    return undefined;
  } catch (error) {
    if (error instanceof CannotJudge && !error.transient) return error;
    throw error;
  }
}
