import type { Step } from '../../harness/checks/step.ts';
import { statusOf } from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { CaseClient } from '../../harness/requests/case-client.ts';
import { isSafe, type Operation } from '../../spec/operation.ts';

/** Whether a valid call takes what another call issued for it; session checks test the cancel. */
export function isIssuedEachTime(operation: Operation): boolean {
  const { role, takesIssued } = operation;
  return role === 'consumes-login' || (isSafe(operation) && takesIssued !== undefined);
}

/** Whether the response says that a value is unknown or invalid. */
export function isUnknown(exchange: Exchange): boolean {
  return [400, 404].includes(statusOf(exchange) ?? 0);
}

/**
 * Calls of something else between the call that issues a value and the one that takes it. Where requests go to replicas
 * in turn, a fixed number would always lead to the same replica, or always to another one.
 */
export const callsBetween: readonly number[] = [0, 1, 2, 3];

/** Sends so many calls that have nothing to do with issued values. */
export async function callSomethingElse(client: CaseClient, step: Step, times: number): Promise<void> {
  const operation = client.withRole('identifies-key');
  for (let sent = 0; sent < times; sent += 1) await client.call(step, { operation });
}
