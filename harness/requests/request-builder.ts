import { hash } from 'node:crypto';
import type { Operation } from '../../spec/operation.ts';
import { baseUrlParts } from '../base-url-parts.ts';
import { defined } from '../defined.ts';
import type { OutgoingRequest, Protocol } from '../http/exchange.ts';
import { recordBody } from '../http/record-answer.ts';
import type { Exchange, HeaderList, RecordedRequest, UsedValue } from '../model/exchange.ts';
import type { CallSpec, RequestContext } from './call-spec.ts';
import { InconclusiveError } from './inconclusive-error.ts';
import type { Credential, KeyRing } from './key-ring.ts';
import { usualNames } from './riders.ts';
import type { PreparedCall } from './valid-values.ts';

export interface ReadyCall {
  readonly operation: Operation;
  readonly spec: CallSpec;
  readonly prepared: PreparedCall;
}

/** A request as it goes out, and what its record needs besides. */
export interface BuiltRequest {
  readonly request: OutgoingRequest;
  readonly credential: Credential;
  readonly prepared: PreparedCall;
  /** Values of headers that are made of names and digits of the harness, so that they hold no secret. */
  readonly ownValues: readonly string[];
}

type BuildContext = Pick<RequestContext, 'keys' | 'target' | 'userAgent' | 'disguise' | 'runId' | 'secrets'>;

/** Builds a call's request; throws `InconclusiveError` where no key is known that its operation accepts. */
export function buildRequest(
  context: BuildContext,
  { operation, spec, prepared }: ReadyCall,
  exchangeId: string,
): BuiltRequest {
  const { authorization, query, [usualNames]: spelling, ...neutral } = Object.fromEntries(spec.neutral ?? []);
  const { keys, runId, userAgent, disguise, target } = context;
  const requestId = requestIdOf(runId, exchangeId);
  const traceParent = traceParentOf(requestId);
  const riding = authorization === 'scoped' ? keys.scoped : keys.unscoped;
  const credential =
    spec.credential ??
    (authorization === undefined ? undefined : riding) ??
    credentialFor(keys, operation, spec);
  // The User-Agent comes first, which tells evaluations that no check chose it.
  const headers: Array<readonly [string, string]> = [
    ...(disguise ?? [
      ['user-agent', userAgent] as const,
      ['accept', 'application/json'] as const,
      ['x-request-id', requestId] as const,
      ['traceparent', traceParent] as const,
    ]),
    ...target.headers,
  ];
  if (credential.header !== undefined) headers.push(['authorization', credential.header]);
  if (prepared.body?.contentType !== undefined) headers.push(['content-type', prepared.body.contentType]);
  const request = {
    method: spec.method ?? operation.method,
    path: baseUrlParts(target.baseUrl).basePath + withQuery(withQuery(prepared.path, spec.query), query),
    headers: withHeaders(headers, { ...neutral, ...spec.headers }),
    ...(prepared.body === undefined ? {} : { body: prepared.body.bytes }),
    ...(spelling === undefined
      ? defined({ wire: spec.wire })
      : { wire: [...(spec.wire ?? []), 'names as usual'] as const }),
  };
  return { request, credential, prepared, ownValues: [requestId, traceParent] };
}

/** The record of a request, with a description of its credential and without secrets. */
export function recordRequest(
  { secrets, target }: BuildContext,
  { request, credential, prepared, ownValues }: BuiltRequest,
  { connection, protocol }: Pick<RecordedRequest, 'connection'> & { readonly protocol?: Protocol },
): RecordedRequest {
  const { kind, description, secret, format = target.authorization } = credential;
  const path = secrets.redact(request.path);
  // A value that occurs in a path without secrets holds none.
  const isClean = (value: string): boolean => path === request.path && path.includes(value);
  return {
    method: request.method,
    path,
    headers: request.headers.map(([name, value]) => {
      if (name === 'authorization') return [name, format.replace('{key}', () => `<${description}>`)];
      return [name, ownValues.includes(value) ? value : secrets.redact(value)];
    }),
    credential: {
      kind,
      description,
      ...(secret === undefined ? {} : { fingerprint: secrets.fingerprint(secret) }),
    },
    values: Object.fromEntries(
      Object.entries(prepared.values).map(([name, used]): readonly [string, UsedValue] => [
        name,
        isClean(used.value) ? used : { ...used, value: secrets.redact(used.value) },
      ]),
    ),
    ...(prepared.body === undefined ? {} : { body: recordBody(prepared.body.bytes, secrets) }),
    connection,
    ...(protocol === 'HTTP/2' ? { protocol } : {}),
  };
}

function credentialFor(
  { none, scoped, unscoped }: KeyRing,
  { auth, scope }: Operation,
  spec: CallSpec,
): Credential {
  if (auth === 'none') return none;
  if (scoped !== undefined) return scoped;
  if (scope === undefined && unscoped !== undefined) return unscoped;
  if (spec.placeholders === true) return none;
  throw new InconclusiveError(`no key${scope === undefined ? '' : ` with ${scope}`} is known`, {
    remedy: `keys: { scoped: ${'$'}{COMMERCE_KEY} }`,
  });
}

export function riderNames({ neutral = [] }: CallSpec): Pick<Exchange, 'neutral'> {
  return neutral.length === 0 ? {} : { neutral: neutral.map(([name]) => name) };
}

/** A path with further parameters, in place of those of the same names that the target file adds. */
function withQuery(path: string, query: string | undefined): string {
  if (query === undefined) return path;
  const [route = '', kept = ''] = path.split(/\?(.*)/s, 2);
  const nameOf = (parameter: string): string | undefined => parameter.split('=', 1)[0];
  const names = new Set(query.split('&').map(nameOf));
  const others = kept.split('&').filter((one) => one !== '' && !names.has(nameOf(one)));
  return `${route}?${[...others, query].join('&')}`;
}

function withHeaders(headers: HeaderList, changed: CallSpec['headers'] = {}): HeaderList {
  const added = Object.entries(changed).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return [...headers.filter(([name]) => !Object.hasOwn(changed, name.toLowerCase())), ...added];
}

/** Characters of a run id that stand in request ids: the name of the harness and at most 64 bits. */
const runPart = 'conformance-0123456789abcdef'.length;

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
