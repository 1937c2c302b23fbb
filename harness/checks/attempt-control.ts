import type { CaseClient } from '../calls/case-client.ts';
import type { CallChanges } from '../requests/call-spec.ts';
import { InconclusiveError } from '../requests/inconclusive-error.ts';
import type { Step } from './step.ts';

/**
 * Sends the control. Where no valid call is known, returns the reason instead of throwing it, so that the probes are
 * still sent: to accept a call without a good key is a violation whether or not a valid call is known.
 */
export async function attemptControl(
  client: CaseClient,
  step: Step,
  changes?: CallChanges,
): Promise<InconclusiveError | undefined> {
  try {
    await client.call(step, changes);
    return undefined;
  } catch (error) {
    if (error instanceof InconclusiveError && !error.transient) return error;
    throw error;
  }
}
