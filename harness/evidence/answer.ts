import type { Exchange, RecordedBody } from '../model/exchange.ts';
import { tried } from '../tried.ts';
import { parseJson } from './json-syntax.ts';
import { cookieIn } from './secret-register.ts';
import { generatedValues, isSentAs, rawValueOf } from './sent-values.ts';

/** The answer's status; undefined where no complete answer came. */
export function statusOf(exchange: Exchange): number | undefined {
  return exchange.failure === undefined ? exchange.response?.status : undefined;
}

/** Whether a complete answer with one of these statuses came. */
export function hasStatus(exchange: Exchange | undefined, ...statuses: readonly number[]): boolean {
  const status = exchange && statusOf(exchange);
  return status !== undefined && statuses.includes(status);
}

/** How much rode along on a call. */
export function riderCount({ neutral = [] }: Exchange): number {
  return neutral.length;
}

/** Whether a call was answered with 200. */
export function isOk(exchange: Exchange): boolean {
  return statusOf(exchange) === 200;
}

/** Whether a call was answered with 200, or with the part of it that a header asked for. */
export function isFound(exchange: Exchange): boolean {
  return hasStatus(exchange, 200, 206);
}

/** Whether the server ended an HTTP/2 stream because it takes the request for malformed, as RFC 9113 section 8.1.1 has it. */
export function isEndedAsMalformed({ failure }: Exchange): boolean {
  return failure?.kind === 'reset' && failure.message.endsWith(protocolError);
}

/** The end of a message of the client for HTTP/2. */
export const protocolError = 'with PROTOCOL_ERROR';

/** The answer in a few words without changing parts, such as `401` or `no answer (timeout)`. */
export function describeAnswer(exchange: Exchange): string {
  const { failure, response } = exchange;
  if (failure !== undefined) {
    const said = response === undefined ? 'no answer' : `an incomplete answer with status ${response.status}`;
    return `${said} (${failure.kind})`;
  }
  return response === undefined ? 'no answer' : String(response.status);
}

/** The cookies that a client sends after a response; empty if the response set none. */
export function cookiesSetBy({ response }: Exchange): string {
  const set = (response?.headers ?? []).filter(([name]) => name === 'set-cookie');
  return set.map(([, value]) => cookieIn(value)).join('; ');
}

/** The first value of a header, looked up without regard to case. */
export function headerOf(exchange: Exchange, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return exchange.response?.headers.find(([header]) => header.toLowerCase() === wanted)?.[1];
}

/** Whether a response says that a limit on the rate is used up, as the limiters of frameworks do whatever its status. */
export function statesUsedUpLimit(exchange: Exchange): boolean {
  const { headers = [] } = exchange.response ?? {};
  const isUsedUp = headers.some(
    ([name, value]) => /^(?:x-)?rate-?limit-remaining$/i.test(name) && value.trim() === '0',
  );
  return isUsedUp && headerOf(exchange, 'retry-after') !== undefined;
}

/** Whether a media type is JSON: `application/json`, `text/json` or any `+json`. */
export function isJsonMediaType(contentType: string | undefined): boolean {
  const essence = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return /^[\w!#$&^.+-]+\/(?:json|[\w!#$&^.+-]+\+json)$/.test(essence);
}

/**
 * The parsed body, shared by all callers; undefined if it is not JSON. Of an object or list that is too long to be kept whole,
 * lists, texts and large objects lack their ends.
 */
export function parseBody(body: RecordedBody | undefined): unknown {
  if (body === undefined || body.json === 'malformed' || body.json === 'empty') return undefined;
  if (!body.truncated) return parseJson(body.text);
  return body.json === 'object' || body.json === 'array' ? tried(parseJson, body.text) : undefined;
}

/** A body in a few words without changing parts, such as `a JSON array` or `an empty body`. */
export function describeBody(body: RecordedBody): string {
  switch (body.json) {
    case 'empty':
      return 'an empty body';
    case 'malformed':
      if (isCompressed(body)) return 'gzip after it was decoded';
      return body.encoding === 'base64' ? 'bytes that are not UTF-8' : 'a body that is not JSON';
    case 'null':
      return 'JSON null';
    case 'array':
    case 'object':
      return `a JSON ${body.json}`;
    default:
      return `a bare JSON ${body.json}`;
  }
}

/** Whether a body, decoded as its Content-Encoding says, begins as gzip does. */
export function isCompressed({ encoding, text }: Pick<RecordedBody, 'encoding' | 'text'>): boolean {
  return encoding === 'base64' && text.startsWith('H4sI');
}

/**
 * Whether a conforming service may have routed a request elsewhere, or refused before it was routed at all: proxies and
 * frameworks decode slashes, resolve dot and empty segments, and refuse paths that violate the grammar of RFC 3986. The responder
 * is then not the operation. The same applies to a call whose Accept excludes JSON or cannot be read, or whose body
 * is compressed: a separate requirement covers its refusal. A firewall may block clients by their User-Agent
 * or anything else that is unusual. HTTP has its own rules for other methods, ranges and conditional requests.
 */
export function mayBeAnotherRoute(exchange: Exchange): boolean {
  return exchange.blockedInFront === true || mayHaveLeft(exchange) || isUnusualClient(exchange);
}

function mayHaveLeft({ request }: Exchange): boolean {
  // A path without parameters, and values from the target or the user, lead to the operation, however they are written.
  if (generatedValues(request).length === 0) return false;
  // What follows a semicolon may be left out of a segment.
  return /%2f|%5c|\/(?:\.|%2e){0,2}(?:;[^/?]*)?(?:[/?]|$)|(?:\.|%2e){2}|%(?![0-9a-f]{2})|["<>\\^`{|}]/i.test(
    request.path,
  );
}

/** The clause of a requirement about bodies that something in front of the service wrote. */
export const refusedInFront = 'refused-in-front';

/**
 * Whether something in front of the service may have refused a request before routing: servers and proxies refuse control
 * characters, malformed percent-encoding and bytes that are not UTF-8 in a path or query with 400 or 404, firewalls refuse
 * apparent attacks with a page under 403.
 */
export function mayBeRefusedInFront(exchange: Exchange, needsScope = false): boolean {
  const { request, response } = exchange;
  if (response?.status === 403) return isBlockedInFront(exchange, needsScope);
  if (response?.status !== 400 && response?.status !== 404) return false;
  const raw = generatedValues(request).map(([name]) => rawValueOf(request, name) ?? '');
  return [...raw, request.path.split('?').slice(1).join('?')].some(isUnreadable);
}

/** Words on the pages of frameworks that require a CSRF token; no firewall uses them. */
const forgedForms = /\bcsrf\b|\bforgery\b|authenticity token/i;

/**
 * Whether a firewall may have blocked a request: it is answered 403 with a page, or with the body of a firewall that the
 * run has recognized. To a key without the scope, the answer may be the service's own where the operation needs one.
 */
export function isBlockedInFront(exchange: Exchange, needsScope = false): boolean {
  const { request, response, blockedInFront } = exchange;
  if (response?.status !== 403 || (needsScope && request.credential.kind === 'unscoped')) return false;
  const { json, text } = response.body;
  const isPage = json === 'malformed' && /^\s*<[!a-z]/i.test(text) && !forgedForms.test(text);
  return blockedInFront === true || isPage;
}

/** Whether percent-encoded text holds control characters, malformed escapes or bytes that are not UTF-8. */
function isUnreadable(raw: string): boolean {
  return /%(?:[01][0-9a-f]|7f|(?![0-9a-f]{2}))/i.test(raw) || tried(decodeURIComponent, raw) === undefined;
}

/**
 * Whether a check changed the path or the method, or added others, according to the row: another
 * operation may have answered, and the check that sent the call decides whether it did.
 */
export function isWrittenOtherwise({ row }: Pick<Exchange, 'row'>): boolean {
  return row?.['route'] !== undefined;
}

function isUnusualClient(exchange: Exchange): boolean {
  const { headers, method } = exchange.request;
  const { status = 0 } = exchange.response ?? {};
  if (isWrittenOtherwise(exchange) || isSentAs(exchange, 'whole address') || method === 'HEAD') return true;
  if (
    [206, 416].includes(status) &&
    headers.some(([name, value]) => name === 'range' && value.startsWith('bytes='))
  )
    return true;
  if (status === 400 && isSentAs(exchange, 'expectation')) return true;
  const isUnchanged = status === 304;
  const matchesWhatThereIs = ([name, value]: readonly [string, string]): boolean =>
    name === 'if-none-match'
      ? value === '*' || exchange.row?.['condition'] === 'own tag'
      : name === 'if-modified-since' && isRecent(value);
  if (isUnchanged && headers.some(matchesWhatThereIs)) return true;
  const hasUnsupportedFormat = headers.some(
    ([name, value]) =>
      name === 'content-encoding' ||
      (name === 'accept' &&
        (!/json|\*\/\*|application\/\*/i.test(value) || (status === 406 && !isOfMediaRanges(value)))),
  );
  // The run's own User-Agent is the first header of a request; one that a check chooses comes later.
  return hasUnsupportedFormat || (headers[0]?.[0] !== 'user-agent' && isBlockedInFront(exchange));
}

/** Whether each part of an Accept header names a type and a subtype. */
function isOfMediaRanges(accept: string): boolean {
  return accept.split(',').every((range) => range.includes('/'));
}

function isRecent(date: string): boolean {
  return Date.parse(date) > Date.UTC(2000);
}

/** The size of a request: the characters of its path and of its headers, and the bytes of its body. */
export function requestSize({ request }: Exchange): number {
  const headers = request.headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  return request.path.length + headers + (request.body?.bytes ?? 0);
}

/** When an exchange began, in milliseconds since 1970. */
export function startOf({ startedAt }: Exchange): number {
  return Date.parse(startedAt);
}

/** When an exchange ended, in milliseconds since 1970. */
export function endOf({ startedAt, durationMs }: Exchange): number {
  return Date.parse(startedAt) + durationMs;
}

/** Distinguishes the calls of a case: by step and row, and by label if a custom check names no row. */
export function callKey({ step, row, label }: Partial<Pick<Exchange, 'step' | 'row' | 'label'>>): string {
  return JSON.stringify([step, row ?? label]);
}

/** A call rewritten as the reduction of an input that it may repeat. */
export function asSmaller(exchange: Exchange): Exchange {
  return { ...exchange, role: 'reduction', step: 'smaller' };
}
