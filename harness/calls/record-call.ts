import { parseJson } from '../evidence/json-syntax.ts';
import type { SecretRegister } from '../evidence/secret-register.ts';
import type { OutgoingRequest, RawAnswer } from '../http/http-client.ts';
import { recordBody } from '../http/record-body.ts';
import type { Exchange, HeaderList } from '../model/exchange.ts';
import type { Credential } from '../requests/key-ring.ts';
import { traceParentOf } from '../requests/request-builder.ts';
import type { PreparedCall } from '../requests/valid-values.ts';

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

/** Bytes beyond which a body is not parsed for values in it: no target issues an id in a flood. */
const mostParsedBytes = 1024 * 1024;
/** Levels beyond which a body is not parsed. */
const mostLevels = 1_000;

/** A JSON body for taking values out of it; undefined where it is not JSON, too large or too deep. */
export function parseAnswerBody(bytes: Buffer): unknown {
  if (bytes.length > mostParsedBytes || nestsDeeper(bytes, mostLevels)) return undefined;
  try {
    const text = bytes.toString('utf8');
    if (!/\d{16}/.test(text)) return parseJson(text);
    // A number beyond 2^53 would lose digits; as text it keeps them.
    return parseJson(text.replace(/(?<=[:[,]\s*)-?\d{16,}(?=\s*[,}\]])/g, '"$&"'));
  } catch {
    return undefined;
  }
}

/** Counts brackets inside strings as well, which is good enough to avoid parsing a body of mere brackets. */
function nestsDeeper(bytes: Buffer, levels: number): boolean {
  if (bytes.length < 2 * levels) return false;
  let depth = 0;
  for (const byte of bytes) {
    if (byte === 0x5b || byte === 0x7b) depth += 1;
    else if (byte === 0x5d || byte === 0x7d) depth -= 1;
    if (depth > levels) return true;
  }
  return false;
}

/** Outside of the function that returns it, as it would keep the body of its surroundings. */
const nothing = (): unknown => undefined;

/** Parses a body when it is first needed; drops one that is not parsed, because a case may have many large ones. */
export function bodyReader({ body, failure }: RawAnswer): () => unknown {
  if (failure !== undefined || body.length > mostParsedBytes) return nothing;
  let parsed: { readonly value: unknown } | undefined;
  return () => {
    parsed ??= { value: parseAnswerBody(body) };
    return parsed.value;
  };
}
