import type { OutgoingRequest, RawAnswer } from '../client/http-client.ts';
import { recordBody } from '../client/record-body.ts';
import type { Exchange, HeaderList } from '../recording/exchange.ts';
import type { SecretRegister } from '../secrets/secret-register.ts';
import type { Credential } from './key-ring.ts';
import type { PreparedCall } from './valid-values.ts';

/** A request as it is kept: its credential in words, and no secret anywhere else. */
export function recordRequest(
  request: OutgoingRequest,
  sent: {
    readonly credential: Credential;
    /** How a key is written in the header, `{key}` standing for it. */
    readonly authorization: string;
    readonly prepared: PreparedCall;
    readonly connection: Exchange['request']['connection'];
    readonly protocol: RawAnswer['protocol'];
  },
  secrets: SecretRegister,
): Exchange['request'] {
  const { credential, authorization, prepared, connection, protocol } = sent;
  const { kind, description, secret } = credential;
  return {
    method: request.method,
    path: secrets.redact(request.path),
    headers: request.headers.map(([name, value]) =>
      name === 'authorization'
        ? [name, authorization.replace('{key}', () => `<${description}>`)]
        : [name, secrets.redact(value)],
    ),
    credential: {
      kind,
      description,
      ...(secret === undefined ? {} : { fingerprint: secrets.fingerprint(secret) }),
    },
    values: Object.fromEntries(
      Object.entries(prepared.values).map(([name, used]) => [
        name,
        { ...used, value: secrets.redact(used.value) },
      ]),
    ),
    ...(prepared.body === undefined ? {} : { body: recordBody(prepared.body.bytes, secrets) }),
    connection,
    ...(protocol === 'HTTP/2' ? { protocol } : {}),
  };
}

/** Headers of one name that are kept: nobody reads a thousand cookies. */
const mostAlike = 50;

function recordHeaders(headers: HeaderList, secrets: SecretRegister): HeaderList {
  const counts = new Map<string, number>();
  return headers.flatMap(([name, value]) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    const redacted = secrets.redact(value);
    // One that holds a secret is evidence however many there are.
    return count <= mostAlike || redacted !== value ? [[name, redacted] as const] : [];
  });
}

/** An answer, or the lack of one, as it is kept. */
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
