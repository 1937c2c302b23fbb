import { defined } from '../../defined.ts';
import { headerOf } from '../../evidence/answer.ts';
import { responseIdsOf } from '../../evidence/response-ids.ts';
import type { Violation } from '../../model/evaluation.ts';
import type { Exchange, HeaderList } from '../../model/exchange.ts';
import type { ResponseId } from '../../model/report.ts';
import { tried } from '../../tried.ts';
import { statusIn } from './sighting.ts';

/** The kind of a violation that a cache causes. */
export const cachedKind = 'cached';

/** The kind of a violation that the memory of a missing resource causes. */
export const missKind = 'remembered miss';

/** The headline of all findings that one cache causes. */
export const cachedHeadline = 'A cache serves the response to one client to another';

/** What to do about a cache that serves the response to one client to another. */
export const cachedFix =
  'Check the key and its scope before any cache or store of answers: one that a client with another key has filled answers here. Do not cache responses to requests with an Authorization header, or make that header part of the cache key: Cache-Control: private and Vary: Authorization in the service; nginx: proxy_no_cache $http_authorization and proxy_cache_bypass $http_authorization; Varnish: no return (hash) for req.http.Authorization; Apache: `CacheDisable` for these paths; Spring: the key in @Cacheable; Django: vary_on_headers("Authorization"); Litestar: no `cache` on routes with a key; a cache in your own code, such as in a middleware before authentication: move it behind authentication, and make the key part of the cache key. Never cache a 401 or 403.';

const fixOfEither =
  'Look up the whole key of each request exactly, by a hash and without collation, in a cache of keys as well, and answer 401 if it is missing or not found. If the same call is refused under a fresh URL, such as one with a new query, a cache has answered: do not cache responses to requests with an Authorization header, or make that header part of the cache key.';

const fixOfGuard =
  'Guard the route itself, and refuse before any side effect. Look for a cache in front of the guard, too: byte for byte, the body was that of the earlier call with a key, as from a cache keyed by the path alone. Put the guard before the cache.';

const missFix =
  'Cache a 404 only under the exact value of the request, or not at all: the resource was found until another spelling of its path was requested, in another letter case or with spaces. Look for a cache, in the service or in front, whose keys are lower-cased, trimmed or normalized.';

const cacheHeaders =
  /^(?:age|via|etag|vary|cache-control|cache-status|expires|x-cache(?:-.*)?|x-(?:proxy|drupal|varnish|litespeed|rack|nginx|fastcgi|srcache).*cache.*|x-drupal-dynamic-cache|x-varnish|x-served-by|(?:cf|cdn|akamai|x-vercel|x-fastly|x-akamai)-cache(?:-status)?)$/i;

/** Headers with a new value in each response. */
const perResponse = /^(?:x-request-id|request-id|x-amzn-requestid|x-amz-request-id|cf-ray)$/;

/**
 * The violation, attributed to a cache if its response came from one; otherwise unchanged. Equal bytes prove nothing, because
 * a service that requires no key answers all clients alike. Proof is a hit that a header states, the id of the response to
 * another client, or a refusal of the same call under a fresh URL or before the other client had called.
 */
export function asCached(violation: Violation, requirement: string, attempt: readonly Exchange[]): Violation {
  return asRememberedMiss(violation, attempt) ?? asCachedAnswer(violation, requirement, attempt);
}

/**
 * The violation, attributed to a cache of missing resources: the call found its resource, another spelling
 * of its path found nothing, and since then the call finds nothing either.
 */
function asRememberedMiss(violation: Violation, attempt: readonly Exchange[]): Violation | undefined {
  const { exchange, kind } = violation;
  const { operation, request, response } = exchange;
  if (kind !== undefined || response?.status !== 404 || request.method !== 'GET') return undefined;
  const isBefore = (one: Exchange, other: Exchange): boolean => one.startedAt < other.startedAt;
  const miss = attempt.find(
    (one) => one.response?.status === 404 && isBefore(one, exchange) && isOtherSpelling(one, exchange),
  );
  if (miss === undefined) return undefined;
  const found = attempt.filter(
    (one) => one.operation === operation && one.request.path === request.path && one.response?.status === 200,
  );
  const last = found.findLast((one) => isBefore(one, miss));
  if (last === undefined || found.some((one) => isBefore(miss, one))) return undefined;
  const { company: _company, ...rest } = violation;
  return {
    ...rest,
    kind: missKind,
    statement: 'A known resource is answered 404 after a call with another spelling of its path',
    detail: `200 before ${miss.request.path} was answered 404, and 404 since then`,
    fix: missFix,
    steps: [last, miss, exchange],
  };
}

/** Whether two calls of an operation differ only in ways that code that folds or trims texts ignores. */
function isOtherSpelling(one: Exchange, other: Exchange): boolean {
  return (
    one.operation === other.operation &&
    one.request.path !== other.request.path &&
    tried(foldedPath, one.request.path) === tried(foldedPath, other.request.path)
  );
}

function foldedPath(path: string): string {
  const parts = path.split('/').map((part) => decodeURIComponent(part).normalize('NFKC').trim());
  return parts.join('/').toLowerCase();
}

function asCachedAnswer(violation: Violation, requirement: string, attempt: readonly Exchange[]): Violation {
  const { exchange, kind, detail } = violation;
  const { response } = exchange;
  if (!isOfCredentials(requirement) || kind !== undefined || exchange.request.method !== 'GET')
    return violation;
  const filler = attempt
    .slice(0, Math.max(0, attempt.indexOf(exchange)))
    .findLast((one) => isFiller(one, exchange));
  const apart =
    filler && attempt.find((one) => one.request.path !== exchange.request.path && isRefused(one, exchange));
  const before = filler && attempt.slice(0, attempt.indexOf(filler)).find((one) => isRefused(one, exchange));
  const id = filler && sameId(filler, exchange);
  const isShown = filler && (apart ?? before) && !isContradicted(attempt, filler, exchange);
  const isProven = id !== undefined || isShown === true;
  if (response === undefined || !(isProven || statesHit(response.headers) || isAged(exchange, attempt)))
    return { ...violation, ...defined({ fix: fixIfCached(violation, requirement, attempt, filler) }) };
  const headers = response.headers
    .filter(([name]) => cacheHeaders.test(name))
    .map(([name, value]) => `${name}: ${value}`);
  const idText = id && ` and the same ${id.header} (${id.value})`;
  const proof = [
    filler && `the same bytes${idText ?? ''} as the answer to the ${whoIn(filler)} before`,
    before && `${before.response?.status} before that`,
    apart && `${apart.response?.status} under a fresh URL`,
    headers.length > 0 ? `its cache headers are ${headers.join(', ')}` : 'it has no cache headers',
    detail,
  ];
  return {
    ...violation,
    kind: cachedKind,
    statement: `${violation.statement}, with a cached response`,
    detail: proof.filter((part) => part !== undefined).join('; '),
    fix: cachedFix,
    ...(filler && { steps: [filler, exchange] }),
  };
}

/** The fix that names cache and guard, or the guard alone, if either may have answered; otherwise that of the violation. */
function fixIfCached(
  violation: Violation,
  requirement: string,
  attempt: readonly Exchange[],
  filler: Exchange | undefined,
): string | undefined {
  const { exchange, fix, company } = violation;
  if (!/^AUTH-[23]$/.test(requirement) || company !== undefined || fix !== undefined) return fix;
  const isStranger = ({ request }: Exchange): boolean =>
    ['none', 'invalid'].includes(request.credential.kind);
  const isAsked = ({ request }: Exchange): boolean => request.path === exchange.request.path;
  const strangers = attempt.filter((one) => one.operation === exchange.operation && isStranger(one));
  // A cache may have answered for all that is known: strangers were accepted at this URL, and at no other.
  if (strangers.some(isAsked) && strangers.every((one) => isAsked(one) === (one.response?.status === 200)))
    return fixOfEither;
  const isOfKey = filler !== undefined && !isStranger(filler);
  return isOfKey && requirement === 'AUTH-2' && statusIn(violation) === 200 ? fixOfGuard : undefined;
}

/** Whether a requirement is about who may call what, which a cache can undo. */
export function isOfCredentials(requirement: string): boolean {
  return /^(?:AUTH|SCOPE)-/.test(requirement);
}

/** Whether another client got the same before, by the same URL. */
function isFiller(one: Exchange, { request, response }: Exchange): boolean {
  return (
    one.request.method === request.method &&
    one.request.path === request.path &&
    one.request.credential.fingerprint !== request.credential.fingerprint &&
    one.response?.status === response?.status &&
    one.response?.body.text === response?.body.text
  );
}

/** Whether the same client was refused with another status at the same path, with any query, in the same way. */
function isRefused(one: Exchange, other: Exchange): boolean {
  const { request, response } = other;
  return (
    isOfSameClient(one, other) &&
    isOfSamePath(one, other) &&
    (one.request.connection === 'reused') === (request.connection === 'reused') &&
    one.response?.status !== response?.status &&
    [401, 403].includes(one.response?.status ?? 0)
  );
}

/** Whether a cache cannot be the cause: a cache answers all calls alike, and never a fresh URL. */
function isContradicted(attempt: readonly Exchange[], filler: Exchange, exchange: Exchange): boolean {
  const { request, response } = exchange;
  const alike = attempt.slice(attempt.indexOf(filler) + 1).filter((one) => isOfSameClient(one, exchange));
  return alike.some((one) =>
    one.request.path === request.path
      ? isRefused(one, exchange)
      : isOfSamePath(one, exchange) && one.response?.status === response?.status,
  );
}

/** Whether two calls of an operation have the same key, written in the same way. */
function isOfSameClient(one: Exchange, other: Exchange): boolean {
  const [a, b] = [one.request.credential, other.request.credential];
  const isSameWay = String(one.row?.['way']) === String(other.row?.['way']);
  return (
    one.operation === other.operation && isSameWay && a.kind === b.kind && a.fingerprint === b.fingerprint
  );
}

/** Whether two calls differ in their query at the most. */
function isOfSamePath(one: Exchange, other: Exchange): boolean {
  return one.request.path.split('?')[0] === other.request.path.split('?')[0];
}

/** The id that both responses carry, which a service gives to one response alone. */
function sameId(one: Exchange, other: Exchange): ResponseId | undefined {
  const known = responseIdsOf(one).map(({ value }) => value);
  return responseIdsOf(other).find(({ header, value }) => perResponse.test(header) && known.includes(value));
}

/** Whether a header other than the age says so. */
function statesHit(headers: HeaderList): boolean {
  return headers.some(
    ([name, value]) =>
      cacheHeaders.test(name) &&
      /\b(?:hit|stale|updating|revalidated)\b/i.test(value) &&
      !/^(?:cache-control|via)$/i.test(name),
  );
}

/** Seconds of age that fresh responses may have: times in headers are whole seconds, and Apache Traffic Server rounds up. */
const freshAge = 2;

/** Whether a response states an age that no fresh one has. */
export function statesAge(exchange: Exchange): boolean {
  return Number(headerOf(exchange, 'age')) > freshAge;
}

/** Whether the response has an age that tells: not where refusals, which no cache should hold, have one as well. */
function isAged(exchange: Exchange, attempt: readonly Exchange[]): boolean {
  const isRefusal = ({ response }: Exchange): boolean => [401, 403].includes(response?.status ?? 0);
  return statesAge(exchange) && !attempt.some((one) => isRefusal(one) && statesAge(one));
}

function whoIn({ request }: Exchange): string {
  const { kind, description } = request.credential;
  return kind === 'none' ? 'client without credentials' : description;
}
