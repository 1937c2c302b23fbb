import { sentBody } from '../../harness/checks/vary-body.ts';
import { parseBody } from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Json } from '../../harness/model/target.ts';
import { type CallChanges, jsonBody, type RawBody } from '../../harness/requests/call-spec.ts';
import type { Credential } from '../../harness/requests/key-ring.ts';
import { isSafe, type Operation } from '../../spec/operation.ts';

/** What some services take for leave, and is none: a key elsewhere than in its header, a mark of a trusted caller. */
export interface Way {
  /** Its value in the row of a call. */
  readonly id: string;
  /** What reports say, such as `a good key in the header x-api-key`. */
  readonly says: string;
  /** One query parameter as it is sent. */
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: (body: RawBody) => RawBody;
  /** Writes known path values in another form. */
  readonly path?: (value: string) => string;
  /** Writes the words of the path in another form. */
  readonly route?: (template: string) => string;
  /** Names another path or method: a router may find something else, or nothing. */
  readonly leadsElsewhere?: true;
}

/** Ways that go out in one request; a request may be refused for one of its ways, which says nothing of the others. */
export type Ways = readonly Way[];

const keyNames = {
  query: ['apikey', 'api_key', 'api-key', 'key', 'access_token', 'token', 'auth', 'authorization'],
  header: ['x-api-key', 'api-key', 'apikey', 'x-auth-token', 'x-access-token', 'x-authorization'],
  cookie: ['apikey', 'api_key', 'token', 'access_token', 'auth', 'authorization'],
  body: ['apikey', 'api_key', 'apiKey', 'key', 'token', 'access_token'],
} as const;

/** A good key in all names of a query, in other headers and a cookie, and in the body. */
export function misplacedKeys(
  { secret = '', header = '' }: Credential,
  valid: Exchange | undefined,
): readonly Ways[] {
  const encoded = encodeURIComponent(secret);
  const members = Object.fromEntries(keyNames.body.map((name) => [name, secret]));
  const cookie = keyNames.cookie.map((name) => `${name}=${encoded}`).join('; ');
  const inBody: Way = {
    id: 'body key',
    says: 'a good key in the body',
    body: ({ bytes }) => jsonBody({ ...(JSON.parse(bytes.toString()) as Record<string, Json>), ...members }),
  };
  return [
    keyNames.query.map((name) => ({
      id: `query ${name}`,
      says: `a good key in the query parameter ${name}`,
      query: `${name}=${encoded}`,
    })),
    [
      ...keyNames.header.map((name) => keyInHeader(name, secret)),
      keyInHeader('proxy-authorization', header),
      { id: 'cookie', says: 'a good key in a cookie', headers: { cookie } },
    ],
    sentMembers(valid) ? [inBody] : [],
    cookiesOf(valid),
  ];
}

/** What a client with a store of cookies sends after a valid call; none where that set no cookie. */
function cookiesOf(valid: Exchange | undefined): Ways {
  const set = (valid?.response?.headers ?? []).filter(([name]) => name === 'set-cookie');
  const cookie = set.map(([, value]) => value.split(';', 1)[0]).join('; ');
  return cookie === '' ? [] : [{ id: 'own cookie', says: 'the cookie of a valid call', headers: { cookie } }];
}

/** A key in a header other than Authorization. */
function keyInHeader(name: string, value: string): Way {
  return { id: `header ${name}`, says: `a good key in the header ${name}`, headers: { [name]: value } };
}

function sentMembers(valid: Exchange | undefined): boolean {
  const body = parseBody(valid && sentBody(valid));
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

/**
 * Headers by which a proxy, a middleware or a tool of the developers marks a request; any client can send them. None names
 * another URL or method: what answers then need not be the operation.
 */
const marks: Readonly<Record<string, string>> = {
  'x-forwarded-for': '127.0.0.1',
  'x-real-ip': '10.0.0.1',
  'x-client-ip': '127.0.0.1',
  'x-middleware-subrequest': Array.from({ length: 5 }, () => 'middleware').join(':'),
  'x-forwarded-user': 'admin',
  'x-remote-user': 'admin',
  'x-authenticated-user': 'admin',
  'x-consumer-username': 'admin',
  'x-user-id': '1',
  'x-internal-request': 'true',
  'x-debug': '1',
  'x-scopes': 'catalog:read',
  'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html) UptimeRobot/2.0',
};

const flags = ['debug=true', 'admin=true', 'internal=1', 'preview=1', 'scope=catalog:read', 'role=admin'];

/** What a page of another site sends: some services let it through, and others refuse it before they look for a key. */
const fromOtherSite = { origin: 'https://shop.example', 'access-control-request-method': 'GET' };

/** What a route, a cache or a guard may know by its bytes alone. */
const otherForms: Ways = [
  {
    id: 'escaped path',
    says: 'the first letter of a path value escaped',
    path: (value) =>
      encodeURIComponent(value).replace(/^[A-Za-z0-9]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  },
  {
    id: 'charset',
    says: 'a charset behind the media type of the body',
    body: ({ bytes, contentType }) => ({
      bytes,
      contentType: contentType && `${contentType}; charset=utf-8`,
    }),
  },
];

/** Other forms of a path, which a guard may not take for the one that a router then finds; a router may find none as well. */
const otherRoutes: ReadonlyArray<Way & Required<Pick<Way, 'route'>>> = [
  {
    id: 'escaped word',
    leadsElsewhere: true,
    says: 'the first letter of the last word of the path escaped',
    route: (template) =>
      template.replace(/\/([a-z])([a-z-]*)(?=(?:\/\{\w+\})*$)/, (_all, letter: string, rest: string) => {
        return `/%${letter.charCodeAt(0).toString(16)}${rest}`;
      }),
  },
  {
    id: 'semicolon',
    leadsElsewhere: true,
    says: 'a semicolon and a parameter behind the path',
    route: (template) => `${template};v=1`,
  },
  {
    id: 'double slash',
    leadsElsewhere: true,
    says: 'two slashes in the path',
    route: (template) => template.replace(/\/(?=[^/]+$)/, '//'),
  },
];

/** What asks for another method: where that is heard, no operation answers, as each path that takes a key has one method. */
const otherMethod: Ways = asWays(
  { 'x-http-method-override': 'GET', 'x-original-method': 'OPTIONS' },
  { leadsElsewhere: true },
);

/** The path of a public read, by which some guards decide; a proxy that takes it for the path answers with that read. */
const otherPath = (path: string): Ways =>
  asWays({ 'x-original-url': path, 'x-rewrite-url': path }, { leadsElsewhere: true });

/** Ways that each need a request of their own, as they may lead elsewhere: one names the path of a public read. */
export function waysApart(operation: Operation, publicPath = '/'): readonly Ways[] {
  const each = [...otherRoutes.map((way) => [way]), otherPath(publicPath)];
  return isSafe(operation) ? each : [...each, otherMethod];
}

/** Ways without a key. */
export const waysWithoutKey: readonly Ways[] = [
  flags.map((query) => ({ id: `query ${query}`, says: `${query} in the query`, query })),
  asWays(marks),
  asWays(fromOtherSite),
  otherForms,
];

/** Ways beside a key that is not good: a gateway may leave whoever names another key for it to another one. */
export function waysBesideAnotherKey(good: Credential | undefined, baseUrl: string): Ways {
  const isSent = good !== undefined && isPrivate(baseUrl);
  const keys = isSent ? misplacedKeys(good, undefined) : [[keyInHeader('x-api-key', 'none')]];
  return [...waysWithoutKey, ...keys].flat();
}

function asWays(headers: Readonly<Record<string, string>>, rest: Pick<Way, 'leadsElsewhere'> = {}): Ways {
  return Object.entries(headers).map(([name, value]) => ({
    id: `header ${name}`,
    says: `${name}: ${value}`,
    headers: { [name]: value },
    ...rest,
  }));
}

/** All ways in one request, made from what a call to be refused has anyway. */
export function together(ways: Ways, { parameters = {}, body, route: template }: CallChanges): CallChanges {
  const queries = ways.flatMap(({ query }) => query ?? []);
  const paths = ways.flatMap(({ path }) => path ?? []);
  const raw = body === undefined || body === 'none' ? undefined : body;
  const routes = ways.flatMap(({ route }) => route ?? []);
  return {
    row: {
      way: ways.map(({ id }) => id),
      ...(ways.some(({ leadsElsewhere }) => leadsElsewhere) && { route: 'other' }),
    },
    ...(template === undefined || routes.length === 0
      ? {}
      : { route: routes.reduce((changed, route) => route(changed), template) }),
    ...(queries.length === 0 ? {} : { query: queries.join('&') }),
    headers: Object.assign({}, ...ways.map(({ headers }) => headers)),
    ...(raw && { body: ways.reduce((changed, way) => way.body?.(changed) ?? changed, raw) }),
    ...(paths.length === 0
      ? {}
      : {
          rawParameters: Object.fromEntries(
            Object.entries(parameters).map(([name, value]) => [
              name,
              paths.reduce((changed, path) => path(changed), value),
            ]),
          ),
        }),
  };
}

/** A browser without a key is to be refused like any client, and not sent to a login; a passive check sees where it is. */
export function asBrowser(changes: CallChanges): CallChanges {
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
