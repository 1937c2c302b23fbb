import { sentBody } from '../../harness/checks/vary-body.ts';
import { parseBody } from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Json } from '../../harness/model/target.ts';
import { type CallChanges, jsonBody } from '../../harness/requests/call-spec.ts';
import type { Credential } from '../../harness/requests/key-ring.ts';

/** A good key in a place where it is no credential, or what else some services take for one. */
export interface MisplacedKey {
  /** The place, such as `a good key in the header X-Api-Key`. */
  readonly place: string;
  readonly changes: Pick<CallChanges, 'query' | 'headers' | 'body'>;
}

const queryNames = ['apikey', 'api_key', 'api-key', 'key', 'access_token', 'token', 'auth', 'authorization'];
const headerNames = ['x-api-key', 'api-key', 'apikey', 'x-auth-token', 'x-access-token', 'x-authorization'];
const cookieNames = ['apikey', 'api_key', 'token', 'access_token', 'auth', 'authorization'];
const memberNames = ['apikey', 'api_key', 'apiKey', 'key', 'token', 'access_token'];

/** A page of another site, whose calls some services let through, and others refuse before they look for a key. */
const otherOrigin = 'https://shop.example';

/** Headers by which a proxy or a middleware marks a request as its own; any client can send them. */
const markingHeaders = {
  'x-forwarded-for': '127.0.0.1',
  'x-middleware-subrequest': Array.from({ length: 5 }, () => 'middleware').join(':'),
};

/** The key in all names of a query, in other headers and a cookie, and in the body, one list for each request. */
export function misplacedKeys(
  { secret = '', header = '' }: Credential,
  valid: Exchange | undefined,
): ReadonlyArray<readonly MisplacedKey[]> {
  const inQuery = queryNames.map((name) => ({
    place: `a good key in the query parameter ${name}`,
    changes: { query: `${name}=${encodeURIComponent(secret)}` },
  }));
  const inHeaders = headerNames.map((name) => ({
    place: `a good key in the header ${name}`,
    changes: { headers: { [name]: secret } },
  }));
  const inProxyHeader = {
    place: 'a good key in the header proxy-authorization',
    changes: { headers: { 'proxy-authorization': header } },
  };
  const marks = Object.entries(markingHeaders).map(([name, value]) => ({
    place: `no key, but ${name}: ${value}`,
    changes: { headers: { [name]: value } },
  }));
  const fromOtherOrigin = {
    place: `no key, but origin: ${otherOrigin}`,
    changes: { headers: { origin: otherOrigin } },
  };
  const cookie = cookieNames.map((name) => `${name}=${encodeURIComponent(secret)}`).join('; ');
  const inCookie = { place: 'a good key in a cookie', changes: { headers: { cookie } } };
  const body = parseBody(valid && sentBody(valid));
  const inBody = isMembers(body)
    ? [
        {
          place: 'a good key in the body',
          changes: { body: jsonBody({ ...body, ...keyed(memberNames, secret) }) },
        },
      ]
    : [];
  return [inQuery, [...inHeaders, inProxyHeader, inCookie, ...marks], inBody, [fromOtherOrigin]].filter(
    (places) => places.length > 0,
  );
}

/** All places of a list in one request. */
export function together(places: readonly MisplacedKey[]): MisplacedKey['changes'] {
  const queries = places.flatMap(({ changes }) => changes.query ?? []);
  return {
    ...Object.assign({}, ...places.map(({ changes }) => changes)),
    ...(queries.length === 0 ? {} : { query: queries.join('&') }),
    headers: Object.assign({}, ...places.map(({ changes }) => changes.headers)),
  };
}

function keyed(names: readonly string[], value: string): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, value]));
}

function isMembers(body: unknown): body is Record<string, Json> {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

/** A browser without a key is to be refused like any client, and not sent to a login; a passive check sees where it is. */
export function asBrowser(changes: MisplacedKey['changes']): MisplacedKey['changes'] {
  return {
    ...changes,
    headers: { ...changes.headers, accept: 'text/html, application/xml;q=0.9, */*;q=0.8' },
  };
}

/** Whether nobody on the way can read a URL. */
export function isPrivate(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'https:' || /^(?:localhost|127(?:\.\d+){3}|\[::1\]|(?:.*\.)?localhost)$/.test(hostname);
}
