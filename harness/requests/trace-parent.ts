import { hash } from 'node:crypto';

/** The W3C trace context of a request: a trace of its own that follows from the request id, so that a team finds it in its logs. */
export function traceParentOf(requestId: string): string {
  const digest = hash('sha256', requestId);
  return `00-${digest.slice(0, 32)}-${digest.slice(32, 48)}-01`;
}
