import { statusOf } from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { CaseClient } from '../../harness/requests/case-client.ts';
import type { Operation } from '../../spec/contract.ts';

/** Whether a valid call takes what another one has issued for it, but for a cancel, which session checks look into. */
export function isIssuedEachTime({ id, method, pathParameters }: Operation): boolean {
  return id === 'consumeHostedLoginReturn' || (method === 'GET' && pathParameters.includes('sessionId'));
}

/** Whether the answer says that a value is not known, or is none. */
export function isUnknown(exchange: Exchange): boolean {
  return [400, 404].includes(statusOf(exchange) ?? 0);
}

/**
 * Calls of something else between the one that issues a value and the one that takes it. Where requests go to replicas in
 * turn, a fixed number of them would lead to the same replica each time, or to another one each time.
 */
export const callsBetween: readonly number[] = [0, 1, 2, 3];

export async function callSomethingElse(client: CaseClient, times: number): Promise<void> {
  const operation = client.operation('getApiKeyIdentity');
  for (let sent = 0; sent < times; sent += 1) {
    await client.call({ role: 'witness', label: 'something else in between', operation });
  }
}
