import type { CaseClient } from '../../harness/calls/case-client.ts';
import { type CallChanges, jsonBody } from '../../harness/requests/call-spec.ts';
import { InconclusiveError } from '../../harness/requests/inconclusive-error.ts';
import type { Operation } from '../../spec/operation.ts';

/**
 * Valid values for any number of calls that must be refused: as a refused call uses nothing up, each may name the same
 * session or login. What is not known is left to placeholders.
 */
export function valuesToRefuse(client: CaseClient, operation: Operation): Promise<CallChanges> {
  return client.forRefusal(() => takeValues(client, operation));
}

/** Valid values for one call, which it uses up where it is accepted. */
export async function takeValues(client: CaseClient, operation: Operation): Promise<CallChanges> {
  try {
    // First, as it drops the values that the control has used up.
    const body = operation.requestSchema === undefined ? undefined : jsonBody(await client.validBody());
    const parameters: Record<string, string> = {};
    for (const name of operation.pathParameters)
      parameters[name] = (await client.knownValue(name, operation)).value;
    return { parameters, ...(body === undefined ? {} : { body }), placeholders: true };
  } catch (error) {
    if (error instanceof InconclusiveError) return { placeholders: true };
    throw error;
  }
}

/** A query that no request had before, so that no cache knows the URL. */
export function ownQuery(client: CaseClient): string {
  return `_=${Math.floor(client.random('query')() * 1e12)}`;
}
