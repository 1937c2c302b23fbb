import type { CallSpec } from '../requests/call-spec.ts';
import type { CaseClient } from '../requests/case-client.ts';
import { InconclusiveError } from '../requests/inconclusive-error.ts';

/**
 * Makes the control call where a valid one is known. Where none is, gives the reason in place of throwing it, so that
 * the probes can still be sent: being let in without a good key is wrong even where no valid call is known.
 */
export async function attemptControl(
  client: CaseClient,
  spec: Omit<CallSpec, 'role'>,
): Promise<InconclusiveError | undefined> {
  try {
    await client.call({ role: 'control', ...spec });
    return undefined;
  } catch (error) {
    if (error instanceof InconclusiveError && !error.transient) return error;
    throw error;
  }
}
