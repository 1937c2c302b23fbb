import type { SecretRegister } from '../evidence/secret-register.ts';
import type { OutgoingRequest, RawAnswer } from '../http/http-client.ts';
import { recordBody } from '../http/record-body.ts';
import type { Exchange, HeaderList } from '../model/exchange.ts';
import type { Credential } from './key-ring.ts';
import { traceParentOf } from './trace-parent.ts';
import type { PreparedCall } from './valid-values.ts';

/** The record of a request, with a description of its credential and without secrets. */
export function recordRequest(
  request: OutgoingRequest,
  sent: {
    readonly credential: Credential;
    /** The format of the header, with `{key}` in place of the key. */
    readonly authorization: string;
    readonly prepared: PreparedCall;
    readonly connection: Exchange['request']['connection'];
    readonly protocol: RawAnswer['protocol'];
    /** The request id that the target may log. */
    readonly requestId: string;
  },
  secrets: SecretRegister,
): Exchange['request'] {
  const { credential, authorization, prepared, connection, protocol, requestId } = sent;
  const { kind, description, secret } = credential;
  const path = secrets.redact(request.path);
  // Made of names and digits of the harness, so that they hold no secret.
  const ours = [requestId, traceParentOf(requestId)];
  return {
    method: request.method,
    path,
    headers: request.headers.map(([name, value]) => {
      if (name === 'authorization')
        return [name, (credential.format ?? authorization).replace('{key}', () => `<${description}>`)];
      return [name, ours.includes(value) ? value : secrets.redact(value)];
    }),
    credential: {
      kind,
      description,
      ...(secret === undefined ? {} : { fingerprint: secrets.fingerprint(secret) }),
    },
    values: recordValues(prepared.values, path === request.path ? path : '', secrets),
    ...(prepared.body === undefined ? {} : { body: recordBody(prepared.body.bytes, secrets) }),
    connection,
    ...(protocol === 'HTTP/2' ? { protocol } : {}),
  };
}

/** Values of path parameters; a value that occurs in a path without secrets needs no redaction. */
function recordValues(
  values: PreparedCall['values'],
  cleanPath: string,
  secrets: SecretRegister,
): Exchange['request']['values'] {
  const recorded: Record<string, Exchange['request']['values'][string]> = {};
  for (const [name, used] of Object.entries(values)) {
    recorded[name] = cleanPath.includes(used.value) ? used : { ...used, value: secrets.redact(used.value) };
  }
  return recorded;
}

/** Headers of one name that are kept. */
const mostSimilar = 50;

function recordHeaders(headers: HeaderList, secrets: SecretRegister): HeaderList {
  // A list within the limit needs no counting.
  const counts = headers.length > mostSimilar ? new Map<string, number>() : undefined;
  const recorded: Array<readonly [string, string]> = [];
  for (const header of headers) {
    const [name, value] = header;
    const redacted = secrets.redact(value);
    const count = (counts?.get(name) ?? 0) + 1;
    counts?.set(name, count);
    // A header with a secret is evidence, however many there are.
    if (redacted !== value) recorded.push([name, redacted]);
    else if (count <= mostSimilar) recorded.push(header);
  }
  return recorded;
}

/** The record of a response, or of its absence. */
export function recordAnswer(
  { status, headers, body, failure }: RawAnswer,
  secrets: SecretRegister,
): Pick<Exchange, 'response' | 'failure'> {
  const response = status !== undefined && {
    response: {
      status,
      headers: recordHeaders(headers, secrets),
      body: recordBody(body, secrets, failure === undefined),
    },
  };
  return {
    ...response,
    ...(failure && { failure: { kind: failure.kind, message: secrets.redact(failure.message) } }),
  };
}
