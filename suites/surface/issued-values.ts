import type { Operation } from '../../spec/contract.ts';

/** Whether a valid call takes what another one has issued for it, but for a cancel, which session checks look into. */
export function isIssuedEachTime({ id, method, pathParameters }: Operation): boolean {
  return id === 'consumeHostedLoginReturn' || (method === 'GET' && pathParameters.includes('sessionId'));
}
