import { hash } from 'node:crypto';

/** Characters of a run id that stand in request ids: the name of the harness and at most 64 bits. */
const runPart = 'conformance-0123456789abcdef'.length;

/** Request ids of any run. */
export const requestIdForm: RegExp = /^conformance-[0-9a-f]{1,16}-[0-9a-f]{8}-\d+-\d+$/;

/**
 * The `x-request-id` of an exchange: run, operation and check as a digest, attempt and number. Servers and log stores
 * remove or refuse other characters than letters, digits and hyphens, and more than 64 of them.
 */
export function requestIdOf(runId: string, exchangeId: string): string {
  const at = exchangeId.lastIndexOf('/');
  const key = hash('sha256', exchangeId.slice(0, at)).slice(0, 8);
  return `${runId.slice(0, runPart)}-${key}-${exchangeId.slice(at + 1).replace('.', '-')}`;
}

/** The W3C trace context of a request: a trace of its own that follows from the request id, so that a team finds it in its logs. */
export function traceParentOf(requestId: string): string {
  const digest = hash('sha256', requestId);
  return `00-${digest.slice(0, 32)}-${digest.slice(32, 48)}-01`;
}
