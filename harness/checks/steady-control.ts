import { isSafe } from '../../spec/operation.ts';
import type { CaseClient } from '../calls/case-client.ts';
import { hasStatus } from '../evidence/answer.ts';
import type { Exchange } from '../model/exchange.ts';
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

/** Attempts at a control that meets a session in another state than a fresh one has. */
const controlAttempts = 3;

export interface Control {
  readonly exchange: Exchange | undefined;
  readonly missing: InconclusiveError | undefined;
}

/**
 * Sends the control, and sends it again after a conflict: a target may keep one session open at a time, or return the
 * same one for equal creates, so that another case has just cancelled the session that this one needs.
 */
export async function steadyControl(client: CaseClient, step: Step, changes?: CallChanges): Promise<Control> {
  for (let attempt = 1; ; attempt += 1) {
    const missing = await attemptControl(client, step, changes);
    const exchange = client.exchanges.findLast((one) => one.step === step.step);
    const isDisturbed = !isSafe(client.caseOperation) && exchange !== undefined && isConflict(exchange);
    if (missing !== undefined || !isDisturbed || attempt === controlAttempts) return { exchange, missing };
  }
}

/** Whether concurrent calls of other cases may have caused the response. */
export function isConflict(exchange: Exchange): boolean {
  return hasStatus(exchange, 404, 409);
}
