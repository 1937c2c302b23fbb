import { baseUrlParts } from '../../harness/base-url-parts.ts';
import type { CaseClient } from '../../harness/calls/case-client.ts';
import { sentBody } from '../../harness/checks/vary-body.ts';
import { cookiesSetBy } from '../../harness/evidence/answer.ts';
import { valuesIn } from '../../harness/evidence/sent-values.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { RawBody } from '../../harness/requests/call-spec.ts';
import type { Credential } from '../../harness/requests/key-ring.ts';
import {
  type Change,
  onTheWire,
  type Variation,
  withBody,
  withHeader,
  withMembers,
  withQuery,
} from '../../harness/requests/variation.ts';
import { isSafe, type Operation } from '../../spec/operation.ts';
import { scope } from './identities.ts';

/** Something that some services wrongly accept as a permission: a key outside its header, or the mark of a trusted caller. */
function way(id: string, says: string, change: Change): Variation {
  return { factor: 'way', id, says, change };
}

function header(name: string, value: string, says: string = `${name}: ${value}`): Variation {
  return way(`header ${name}`, says, withHeader(name, value));
}

/** A way that names another path or method. */
function elsewhere(one: Variation): Variation {
  return { ...one, leadsElsewhere: true };
}

const keyNames = {
  query: ['apikey', 'api_key', 'api-key', 'key', 'access_token', 'token', 'auth', 'authorization'],
  header: ['x-api-key', 'api-key', 'apikey', 'x-auth-token', 'x-access-token', 'x-authorization'],
  cookie: ['apikey', 'api_key', 'token', 'access_token', 'auth', 'authorization'],
  body: ['apikey', 'api_key', 'apiKey', 'key', 'token', 'access_token'],
} as const;

/** A good key in query parameters, in other headers and a cookie, and in the body. */
function keyElsewhere({
  secret = '',
  header: whole = '',
}: Partial<Credential>): ReadonlyArray<readonly Variation[]> {
  const encoded = encodeURIComponent(secret);
  const cookie = keyNames.cookie.map((name) => `${name}=${encoded}`).join('; ');
  const inBody = Object.fromEntries(keyNames.body.map((name) => [name, secret]));
  const inHeader = (name: string, value: string): Variation =>
    header(name, value, `a good key in the header ${name}`);
  return [
    keyNames.query.map((name) =>
      way(`query ${name}`, `a good key in the query parameter ${name}`, withQuery(`${name}=${encoded}`)),
    ),
    [
      ...keyNames.header.map((name) => inHeader(name, secret)),
      inHeader('proxy-authorization', whole),
      way('cookie', 'a good key in a cookie', withHeader('cookie', cookie)),
    ],
    [way(keyInBody, 'a good key in the body', withMembers(inBody))],
  ];
}

const keyInBody = 'body key';
const placesOfKeys: ReadonlySet<string> = new Set(
  keyElsewhere({}).flatMap((ways) => ways.map(({ id }) => id)),
);

/** The good key in all places but its own, beside the cookies that a valid call has set; none if it could be read in transit. */
export function misplacedKeys(
  { keys, baseUrl }: CaseClient,
  valid?: Exchange,
): ReadonlyArray<readonly Variation[]> {
  if (keys.scoped === undefined || !isPrivate(baseUrl)) return [];
  const hasMembers = valid !== undefined && sentBody(valid)?.json === 'object';
  const places = keyElsewhere(keys.scoped).map((ways) =>
    ways.filter(({ id }) => hasMembers || id !== keyInBody),
  );
  return [...places, cookiesOf(valid)];
}

type Told = Pick<Violation, 'headline' | 'fix'> | undefined;

/** What to report about an accepted call that has a good key outside its header. */
export function toldOfMisplaced(exchange: Exchange): Told {
  const ways = valuesIn(exchange, 'way');
  if (!ways.some((way) => placesOfKeys.has(way))) return undefined;
  const where = ways.every((way) => placesOfKeys.has(way)) ? exchange.label : 'a good key in other places';
  const [andCookie, session] = ways.includes(ownCookie)
    ? [' and the cookie that a valid call has set', ` ${noSession}`]
    : ['', ''];
  return {
    headline: `A call without the Authorization header is accepted with ${where}${andCookie}`,
    fix: `Read the key only from the Authorization header: without what it carries elsewhere, the call is refused. Look for a middleware, strategy or extractor that also takes keys from a query parameter, a cookie, another header or the body.${session}`,
  };
}

/** What to report about an accepted call with a few things that are no credential, or with a good key in another place. */
export function toldOfWays(exchange: Exchange): Told {
  const { row, label, request } = exchange;
  const ways = valuesIn(exchange, 'way');
  const isNamed = ways.length > 0 && ways.length <= mostNamed;
  const misplaced = toldOfMisplaced(exchange);
  if (misplaced !== undefined || !isNamed) return misplaced;
  const key = request.credential.kind === 'none' ? 'without a key' : 'with a key that lacks the scope';
  const without = `with ${label}, the call is accepted, and without it refused`;
  const fix = ways.includes(ownCookie)
    ? `${noSession} Here, ${without}.`
    : row?.['route'] === undefined
      ? `Check the key whatever else a call carries: ${without}. Look for a guard that lets such calls pass, such as preflights, internal calls, headers that a gateway must remove from what clients send before it sets its own, or bodies that are too large for its buffer.`
      : `Attach the guard to the operation, not to a pattern of paths, or decode and normalize the path once, before the guard compares it: with ${label}, the router finds the operation and the guard does not.`;
  return { headline: `A call ${key} is accepted with ${label}`, fix };
}

/** Ways that one headline names: a call with more was not made smaller. */
export const mostNamed = 3;

const noSession =
  'Let no session stand for the key: a valid call sets a cookie (Spring Security: `SessionCreationPolicy.STATELESS`; Passport: `session: false`).';

const ownCookie = 'own cookie';

/** The cookies that a client sends after a valid or refused call; none if that call set no cookie. */
export function cookiesOf(answered: Exchange | undefined, call = 'valid'): readonly Variation[] {
  const cookie = answered === undefined ? '' : cookiesSetBy(answered);
  return cookie === '' ? [] : [way(ownCookie, `the cookie of a ${call} call`, withHeader('cookie', cookie))];
}

/** A letter, percent-encoded without need. */
const escaped = (letter: string): string => `%${letter.charCodeAt(0).toString(16)}`;

/**
 * Proxies, middleware and developer tools mark a request by these headers; any client can send them. None names another
 * URL or method, because something other than the operation might then answer. One more needs another to go: Varnish takes 64
 * lines in all.
 */
const marks: ReadonlyArray<readonly [value: string, headers: string]> = [
  ['127.0.0.1', 'x-forwarded-for x-client-ip'],
  ['10.0.0.1', 'x-real-ip'],
  ['middleware:middleware:middleware:middleware:middleware', 'x-middleware-subrequest'],
  ['admin', 'x-forwarded-user x-remote-user x-consumer-username x-auth-request-user'],
  ['admin', 'x-roles'],
  ['accounts.google.com:admin@shop.example', 'x-goog-authenticated-user-email'],
  ['1', 'x-user-id x-consumer-id x-debug'],
  [scope, 'x-authenticated-scope x-scopes x-scope x-oauth-scopes x-consumer-scopes x-auth-scopes'],
  // grpc-gateway passes them on as the metadata that a gateway sets.
  [scope, 'grpc-metadata-x-consumer-scopes'],
  ['SUCCESS', 'x-ssl-client-verify ssl-client-verify'],
  ['By=spiffe://shop.example/api;Subject="CN=admin"', 'x-forwarded-client-cert'],
  ['true', 'x-envoy-internal x-internal-request'],
  ['gateway', 'x-service-name'],
  // The first version of an interface may have had no keys, or no scopes.
  ['1', 'x-api-version api-version accept-version'],
  // A stream of events has no headers in a browser, and some services take its key from elsewhere.
  ['text/event-stream, text/html;q=0.9, */*;q=0.8', 'accept'],
  [
    'kube-probe/1.31 (compatible; Googlebot/2.1; +http://www.google.com/bot.html) UptimeRobot/2.0 ELB-HealthChecker/2.0',
    'user-agent',
  ],
];

type WaysClient = Pick<CaseClient, 'baseUrl' | 'operations'>;

/** The paths of public reads. */
function publicPaths({ baseUrl, operations }: WaysClient): readonly string[] {
  const reads = operations.filter((one) => one.auth === 'none' && one.pathParameters.length === 0);
  return reads.map(({ path }) => baseUrlParts(baseUrl).basePath + path);
}

/** Parameters in which some services take a path. */
const pathParameters = ['next', 'url', 'redirect', 'path', 'return', 'to', 'service'];

/** Ways without a key. */
export function waysWithoutKey(client: WaysClient): ReadonlyArray<readonly Variation[]> {
  const { origin } = baseUrlParts(client.baseUrl);
  return [
    ['debug=true', 'admin=true', 'internal=1', 'preview=1', 'role=admin']
      .concat(['scope', 'scopes', 'permissions'].map((name) => `${name}=${scope}`))
      // A guard may look for a public path in the whole URL.
      .concat(publicPaths(client).map((path, at) => `${pathParameters[at % pathParameters.length]}=${path}`))
      .map((sent) => way(`query ${sent}`, `${sent} in the query`, withQuery(sent))),
    // A guard may trust its own machine or its network, and read the first address, or the last as nginx does.
    [
      ...marks.flatMap(([value, names]) => names.split(' ').map((name) => header(name, value))),
      way('private address', 'X-Forwarded-For: 10.0.0.1', withHeader('x-forwarded-for', '10.0.0.1')),
    ],
    // Some servers read an underscore as a hyphen, while a gateway removes only the name with a hyphen; others refuse it.
    ['x_consumer_id', 'x_user_id', 'x_authenticated_userid'].map((name) => header(name, '1')),
    // The headers of a page of the service itself: some services let it through, and some refuse any page before they check keys.
    [
      header('origin', origin),
      header('referer', `${origin}/`),
      header('sec-fetch-site', 'same-origin'),
      header('access-control-request-method', 'GET'),
    ],
    // Members that a service accepts if it merges the body into the record of a key.
    Object.entries({ scope, scopes: [scope], permissions: [scope], role: 'admin', isAdmin: true }).map(
      ([name, value]) => way(`body ${name}`, `${name} in the body`, withMembers({ [name]: value })),
    ),
    // A route, a cache or a guard may compare the bytes alone.
    [
      way('escaped path', 'the first letter of a path value escaped', withEscapedValues),
      way('charset', 'a charset behind the media type of the body', withBody(withCharset)),
      way('offer of HTTP/2', 'an offer to go on in HTTP/2', onTheWire('offer of HTTP/2')),
      way('header transfer-encoding', 'a body in chunks', (call) =>
        call.body === undefined ? call : withHeader('transfer-encoding', 'chunked')(call),
      ),
    ],
  ];
}

/** Known path values, the first letter of each escaped. */
const withEscapedValues: Change = (call) => {
  const raw = Object.entries(call.parameters ?? {}).map(
    ([name, value]) => [name, encodeURIComponent(value).replace(/^[A-Za-z0-9]/, escaped)] as const,
  );
  return raw.length === 0 ? call : { ...call, rawParameters: Object.fromEntries(raw) };
};

function withCharset({ bytes, contentType }: RawBody): RawBody {
  return { bytes, contentType: contentType && `${contentType}; charset=utf-8` };
}

/** The words of the path in another form, for which a router may find no route. */
function route(id: string, says: string, part: RegExp, write: (found: string) => string): Variation {
  return way(id, says, (call) => ({ ...call, route: call.route?.replace(part, write) ?? '' }));
}

/** Other forms of a call, for which a router may find the operation although a guard does not recognise it; a router may also find none. */
function otherRoutes(operation: Operation): readonly Variation[] {
  const byMethod: Change = (call) =>
    withHeader('x-http-method-override', 'GET')({ ...call, method: 'OPTIONS' });
  return [
    route('escaped words', 'the first letter of each word of the path escaped', /(?<=\/)[a-z]/g, escaped),
    route('semicolon', 'a semicolon and a parameter behind the path', /$/, () => ';v=1'),
    // Some routers drop a format extension that a guard does not expect.
    route('suffix', '.json behind the path', /$/, () => '.json'),
    route('capitals', 'the words of the path in capitals', /(?<=\/)[a-z][\w-]*/g, (word) =>
      word.toUpperCase(),
    ),
    route('double slashes', 'two slashes for each one in the path', /(?<!^)\//g, () => '//'),
    route('dots', '/./ for each slash in the path', /(?<!^)\//g, () => '/./'),
    // Routers read only the path in it, and some guards the whole.
    way('whole address', 'the whole address in the request line', onTheWire('whole address')),
    // A guard that lets preflights pass may not know which method a router then chooses.
    ...(operation.method === 'GET'
      ? [way('preflight', 'OPTIONS with x-http-method-override: GET', byMethod)]
      : []),
  ].map(elsewhere);
}

/** Ways that go out in a call each, as a refusal for one of them hides the others. */
export function loneWays(operation: Operation): readonly Variation[] {
  return [
    ...otherRoutes(operation),
    // Guards that look into bodies buffer 8 kB or so, and some let pass what is longer.
    ...(operation.requestSchema === undefined
      ? []
      : [way('large body', '20,000 blanks behind the body', withBody(withBlanks))]),
  ];
}

function withBlanks({ bytes, contentType }: RawBody): RawBody {
  return { bytes: Buffer.concat([bytes, Buffer.alloc(20_000, ' ')]), contentType };
}

/** Headers in which proxies pass on the path that a client asked for (IIS, nginx, Traefik, Envoy, oauth2-proxy). */
const pathHeaders = [
  ...['x-original-url', 'x-rewrite-url', 'x-original-uri', 'x-forwarded-uri', 'x-forwarded-path'],
  ...['x-replaced-path', 'x-envoy-original-path', 'x-auth-request-redirect'],
];

/** Headers that may lead elsewhere, such as to a public read, on services that obey them. */
export function headersElsewhere(client: WaysClient, operation: Operation): readonly Variation[] {
  const [publicPath = ''] = publicPaths(client);
  return [
    // Some guards decide by this path; a proxy that uses it as the path answers with that read.
    ...pathHeaders.map((name) => header(name, publicPath)),
    // If the service obeys this, no operation answers, because each path that takes a key has one method.
    ...(isSafe(operation)
      ? []
      : [
          header('x-http-method-override', 'GET'),
          header('x-original-method', 'OPTIONS'),
          // If nobody meets the expectation, the response is about the expectation.
          way('expectation', 'Expect: 100-continue', onTheWire('expectation')),
        ]),
  ].map(elsewhere);
}

/** All ways in one request, without a query if the target is known to refuse queries. */
export function joinedWays(
  client: CaseClient,
  lists: ReadonlyArray<readonly Variation[]>,
): readonly Variation[] {
  return lists.flat().filter(({ id }) => !id.startsWith('query ') || !client.isLeftOut('query', 1));
}

/** Ways in addition to a bad key: a gateway may pass on a request that names another key, for another component to check. */
export function waysBesideAnotherKey(client: CaseClient, valid: Exchange | undefined): readonly Variation[] {
  const misplaced = misplacedKeys(client, valid).flat();
  return [
    ...waysWithoutKey(client).flat(),
    ...(misplaced.length > 0 ? misplaced : [header('x-api-key', 'none', 'a key in the header x-api-key')]),
  ];
}

/** Whether nobody in transit can read a URL. */
export function isPrivate(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'https:' || /^(?:localhost|127(?:\.\d+){3}|\[::1\]|(?:.*\.)?localhost)$/.test(hostname);
}
