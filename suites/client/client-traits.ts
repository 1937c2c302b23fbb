import type { CaseClient } from '../../harness/calls/case-client.ts';
import { tokensOf } from '../../harness/fuzzing/path-segment.ts';
import { smallerSequences } from '../../harness/fuzzing/reduce.ts';
import type { WireForm } from '../../harness/model/exchange.ts';
import { clientHeaders, rareHeaders } from '../../harness/requests/client-headers.ts';
import { unlessInconclusive } from '../../harness/requests/inconclusive-error.ts';
import type { Credential, KeyRing } from '../../harness/requests/key-ring.ts';
import {
  onTheWire,
  type Variation,
  withBody,
  withHeader,
  withKey,
  withQuery,
} from '../../harness/requests/variation.ts';
import { isSafe, type Operation } from '../../spec/operation.ts';
import { plainToken } from '../resource/path-value-cause.ts';
import { bodyChanges } from './body-changes.ts';

/** One way in which a client may differ from the plain one of all other checks. */
export interface Trait extends Variation {
  /** The query parameter that it adds, as it is sent. */
  readonly query?: string;
  /** A part that a call has once, unless it is a list: a header, a query parameter, a part of the body; unknown if absent. */
  readonly slot?: string;
  /** A slot whose values go out in place of it. */
  readonly givesWayTo?: string;
  /** Other values of the same slot would hide it. */
  readonly isAlone?: true;
  /** The usual rules of firewalls block it. */
  readonly isBlocked?: true;
  /** Statuses other than 200 with which a conforming service may answer it. */
  readonly allows?: readonly number[];
}

/** Five values of one factor, each of some traits; a value without traits is the plain client. */
export type Factor = ReadonlyArray<Trait | readonly Trait[]>;

type Rest = Partial<Trait>;

/** Characters of the longest query that is its own id. */
const longestId = 40;

const plain: readonly Trait[] = [];
const alone: Rest = { isAlone: true };
/** Values that the OWASP rules, or rules against robots, block. */
const blocked: Rest = { isBlocked: true };
/** A value that no grammar admits may be refused. */
const malformed: Rest = { allows: [400] };
/** A page or a record that does not exist, or cannot be told from an unreadable query, may be not found. */
const missing: Rest = { allows: [400, 404] };

const accept: Factor = [
  header('Accept', undefined, alone),
  header('Accept', '*/*', alone),
  // That of HttpURLConnection, in which a star alone stands for all types.
  [
    ...usual('Accept', 'library'),
    header('Accept', 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', { allows: [400, 406] }),
  ],
  ...usual('Accept', 'browser'),
  usual('Accept', 'weighted', 'versioned', 'charset'),
];

const acceptEncoding: Factor = [
  // Beside another value, one of two weights would count.
  ...usual('Accept-Encoding', 'withoutGzip').map((trait) => ({ ...trait, ...alone })),
  ...usual('Accept-Encoding', 'gzip'),
  header('Accept-Encoding', '', { ...alone, id: 'empty', says: 'an empty Accept-Encoding' }),
  ...usual('Accept-Encoding', 'identityAlone', 'weighted'),
];

const acceptLanguage: Factor = [
  // What fetch sends.
  header('Accept-Language', '*'),
  ...usual('Accept-Language', 'several', 'turkish'),
  header('Accept-Language', 'en_AE', malformed),
  ...usual('Accept-Language', 'many'),
];

const agents = (...names: readonly string[]): readonly Trait[] =>
  names.map((name) => header('User-Agent', name, blocked));
const userAgent: Factor = [
  plain,
  header('User-Agent', undefined, { ...alone, ...blocked }),
  [...usual('User-Agent', 'desktop'), ...usual('Sec-CH-UA', 'desktop')],
  agents('curl/8.5.0', 'okhttp/4.12.0', 'Go-http-client/1.1', 'PostmanRuntime/7.39.0'),
  [
    ...agents('axios/1.7.2', 'python-requests/2.32.3', 'Java/21.0.3', 'node'),
    ...agents('Mozilla/5.0 (compatible; Googlebot/2.1)'),
  ],
];

const cookie: Factor = [
  plain,
  [header('Cookie', 'theme=100%; token=a=b=='), ...usual('Cookie', 'undecodable')],
  [
    header('Cookie', 'session=abc; $bad=x', blocked),
    // A service that reads these may refuse them; the grammar admits no cookie without a name.
    header('Cookie', 'preview=%E0%A4%A; locale=100%; currency=%zz; cart=%E0%A4%A; csrf=%; bare', {
      allows: [400, 401, 403, 404],
    }),
  ],
  ...usual('Cookie', 'session', 'analytics'),
];

/** Headers by which proxies identify themselves and trace calls; unreadable values should be ignored, and may be refused. */
const traced: readonly Trait[] = [
  ...usual('Via', 'proxy'),
  ...usual('Date', 'past'),
  ...usual('Origin', 'local'),
  ...usual('Referer', 'local'),
  header('Traceparent', '00-conformance-0-00', malformed),
  header('X-Request-Id', 'conformance-'.repeat(17), malformed),
  ...rare('tracestate', 'baggage', 'b3', 'x-amzn-trace-id', 'cdn-loop', 'true-client-ip'),
];

const closing: readonly Trait[] = [
  header('Connection', 'close'),
  header('Prefer', 'respond-async'),
  ...usual('Referer', 'relative'),
  ...usual('Sec-Fetch-Site', 'same'),
  header('Sec-Fetch-Mode', 'no-cors'),
  header('Sec-Fetch-Dest', 'script'),
];
const browsing: readonly Trait[] = [
  ...usual('Origin', 'foreign'),
  ...usual('Sec-Fetch-Site', 'foreign'),
  ...rare('sec-fetch-mode', 'sec-fetch-dest', 'sec-purpose', 'purpose', 'save-data'),
];
/** RFC 9110 deprecates Accept-Charset, and the OWASP rules refuse it. */
const embedded: readonly Trait[] = [
  ...usual('Upgrade-Insecure-Requests', 'yes'),
  header('Referer', 'android-app://com.example.shop/'),
  ...usual('X-Requested-With', 'script'),
  ...usual('DNT', 'yes'),
  ...rare('sec-gpc', 'x-timezone', 'x-csrf-token'),
  header('Accept-Charset', 'iso-8859-1, utf-8;q=0.7', { ...malformed, ...blocked }),
];
const sandboxed: readonly Trait[] = [
  ...usual('TE', 'trailers'),
  ...usual('Origin', 'opaque'),
  // Not part of a trace.
  header('Traceparent', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`, malformed),
];
/** A service that knows such keys may refuse one that came with another call before. */
const retrying: readonly Trait[] = [
  header('Idempotency-Key', 'conformance-'.repeat(25), { allows: [400, 409] }),
  // Some read only keys of the length of a UUID.
  header('X-Idempotency-Key', 'conformance', { allows: [400, 409] }),
];

const caching: Factor = [
  ...usual('Cache-Control', 'unread', 'stale', 'outdated'),
  ...usual('Pragma', 'unread'),
  plain,
];

/** Headers from the environment of a client: a browser's page on another site, a library, a proxy. */
const surroundingsOf = (own: Trait, ...extra: readonly Trait[]): Factor => [
  [...browsing, ...extra],
  closing,
  [...embedded, ...extra],
  traced,
  [own, ...sandboxed],
];
const surroundings = surroundingsOf(header('Content-Type', 'application/json;charset=iso-8859-1'));
const surroundingsOfWrite = surroundingsOf(
  header('Prefer', 'return=minimal'),
  ...retrying,
  header('Prefer', 'return=representation'),
);

/** Only matching conditions change an answer; those of a client that has read nothing yet match nothing. */
const condition: Factor = [
  header('If-Modified-Since', 'yesterday', malformed),
  [
    header('If-None-Match', 'W/"never-issued", "nor-this"'),
    // Beyond the seconds that 32 bits count. Nothing has changed since; services that know no tags do not see that one beside it.
    header('If-Modified-Since', 'Thu, 01 Jan 2099 00:00:00 GMT', { allows: [304] }),
  ],
  header('If-None-Match', 'abc', malformed),
  // Any condition of a write that holds is one of a read as well; recipients read the older form of a date, too.
  [header('If-Modified-Since', 'Saturday, 29-Oct-94 19:43:31 GMT'), header('If-Match', '*')],
  // A star matches any existing resource.
  header('If-None-Match', '*', { allows: [304] }),
];

const query: Factor = [
  parameters(`sort=created_at page=-1? include=0.0 format=xml? q=%22caf%C3%A9+%F0%9F%91%9F+linen%2Fcotton+%28shirt+AND limit=-1
    slug=conformance?`),
  [
    ...parameters(
      'limit=abc page=1.5? filter%5Bparent%5D%5Bname%5D=clothes ids=? callback=go access_token=never-issued',
    ),
    parameter('q=', alone),
    ...parameters('debug preview min_price=abc sessionId=?'),
  ],
  parameters(`limit=1000000000 offset=-100? q=women%27s&q=women%27s locale=en_GB? page=99999999999999999999?
    sort=conformance`),
  [
    parameter('q=a%00b', { ...alone, ...blocked }),
    parameter('_method=OPTIONS', blocked),
    parameter('page=%zz', { ...missing, ...blocked }),
    parameter('q=%C3%28', { ...alone, ...missing, ...blocked }),
    parameter('locale=..%2F..%2F..%2F..%2Fetc%2Fpasswd', { ...missing, ...blocked }),
    parameter(`state=${'a'.repeat(2_100)}`, { allows: [400, 414] }),
  ],
  [
    ...parameters(`utm_source=mail page=99999? cursor=abc? limit=0 page_size=0 per_page=0 expand=owner _=1700000000000
      ${Array.from({ length: 21 }, (_, at) => `id=${at}`).join('&')}?`),
    // Some parsers refuse a name that occurs both as a list and as a text, regardless of the service.
    parameter('q%5B%5D=linen', { givesWayTo: '?q' }),
    parameter('sort%5B%5D=price', { givesWayTo: '?sort' }),
  ],
];

/** Parameters of a call that changes something: a contract that names none leaves open whether they are refused. */
const queryOfWrite: Factor = [
  plain,
  parameter('utm_source=mail'),
  plain,
  [parameter('debug'), parameter('callback=go')],
  plain,
];

/** A service may bound the size of a body, which the contract does not show. */
export const blanksBefore: Trait = ofBody('blanks-before', '5,000 blanks before the body', {
  allows: [400, 413],
});

/** As many bytes in other forms: where one of them is accepted, the size does not explain a refusal. */
export const asLarge: readonly Trait[] = [
  ofBody('blanks-after', '5,000 blanks after the body'),
  ofBody('long-member', 'a member of 5,000 letters'),
];

const chunked = header('Transfer-Encoding', 'chunked', { factor: 'framing', says: 'a body in chunks' });

/** A server that answers before it has read the body may close the connection; nothing follows from that. */
const inTwoPackets = ofWire('body in two packets', 'a body in two packets, 0.7 s apart');

/** Other text may be refused, or name nothing; where it is accepted, a letter may as well arrive in two packets. */
const wideLetters = ofBody('wide-letters', 'accents and an emoji in the body', missing);

/** Simpler forms by the ids of traits: where one of them gets the same response, that tells the cause. */
export const simplerForms: Readonly<Record<string, Trait>> = {
  'wide-letters': ofBody('plain-member', 'one more member of the body'),
};

const body: Factor = [
  blanksBefore,
  [
    ofBody('type-in-capitals', 'Content-Type: Application/JSON'),
    ofBody('escaped-names', 'letters of the names in the body escaped'),
    ofBody('line-break-before', 'a line break before the body'),
    ofBody('members-reversed', 'the members of the body in reverse order'),
  ],
  [
    ofBody('charset', 'Content-Type: application/json;charset=utf-8'),
    ofBody('escaped-texts', 'letters of the texts in the body escaped'),
  ],
  [
    // In more than one chunk, of which each comes by itself, be it within a letter.
    ...[chunked, inTwoPackets, wideLetters],
    ofBody('spaced', 'white space on both sides of all that JSON allows it around'),
    ofBody('escaped-slashes', 'slashes of the body escaped'),
    ofBody('quoted-charset', 'Content-Type: application/json; charset="utf-8"', { slot: 'charset' }),
  ],
  [
    // The contract names no limit for the size of a body, and some readers take an exponent for a fraction.
    ofBody('many-blanks-after', '60,000 blanks after the body', { ...alone, ...malformed }),
    ofBody('exponents', 'whole numbers with an exponent', { ...alone, ...malformed }),
  ],
];

/** The keys of a run; a trait whose key is unknown leaves a call as it is. */
type Keys = Partial<Pick<KeyRing, 'scoped' | 'unscoped' | 'invalid' | 'unreadable'>>;

function credentialsFor(
  { auth, scope }: Pick<Operation, 'auth' | 'scope'>,
  { scoped, unscoped, invalid, unreadable }: Keys,
): Factor | undefined {
  const without = unscoped ?? scoped;
  if (auth === 'none')
    return [
      plain,
      key('scoped', scoped ?? unscoped, 'a good key at a public read'),
      key('unscoped', without, 'a good key without scopes at a public read'),
      key('unknown', invalid?.[0], 'an unknown key at a public read', { allows: [401] }),
      key('unreadable', unreadable?.[0], 'an unreadable key at a public read', { allows: [400, 401] }),
    ];
  // If any key will do, the key without scopes, but only once.
  const once = key('unscoped', without, 'a good key without scopes');
  return scope === undefined ? [...Array<Trait>(4).fill(once), plain] : undefined;
}

/** What a proxy in front would add: true of the host and the scheme, as a service that trusts it may route by it. */
function forwarded({ host, protocol, port }: URL): Factor {
  const scheme = protocol.slice(0, -1);
  const own = port || (scheme === 'https' ? '443' : '80');
  const twoProxies = { ...malformed, id: 'two-proxies', says: 'X-Forwarded-Port of two proxies' };
  return [
    usual('X-Forwarded-For', 'hidden'),
    [...usual('X-Forwarded-For', 'proxies'), header('X-Forwarded-Port', `${own}, ${own}`, twoProxies)],
    [header('X-Forwarded-Host', `, ${host}`), ...rare('x-forwarded-prefix')],
    [header('X-Forwarded-Proto', scheme), ...usual('X-Forwarded-For', 'withPort')],
    header('Forwarded', `for="[2001:db8::1]:4711";proto=${scheme};host="${host}"`),
  ];
}

const offered = ofWire('offer of HTTP/2', 'an offer to go on in HTTP/2 (Upgrade: h2c)', {
  givesWayTo: 'connection',
});
/** Where one meets Connection: close, to which an offer gives way, the other does not. */
const twiceOffered = [offered, ofWire('head in two packets', 'a head in two packets, 0.2 s apart')];
const inCapitals = [
  ofWire('names in capitals', 'header names in capitals'),
  ofWire('host in capitals', 'the host in capitals'),
];
const wire: Factor = [
  twiceOffered,
  inCapitals,
  // Some servers read it as part of the path, others as a call to a proxy, and refuse it: a separate clause covers that.
  ofWire('whole address', 'the whole address in the request line', {
    allows: [301, 302, 307, 308, 400, 403, 404, 405, 421, 501],
  }),
  offered,
  // In HTTP/1.0 nothing is chunked, and no other protocol offered.
  [
    ofWire('old HTTP', 'a call in HTTP/1.0'),
    // A server that keeps them, as RFC 9112 section 5.1 forbids, reads another key.
    ofWire('blanks behind values', 'blanks behind the values of headers', { allows: [400, 401] }),
  ],
];
const wireOfBody: Factor = [
  twiceOffered,
  inCapitals,
  offered,
  [wideLetters, inTwoPackets],
  [inTwoPackets, ofWire('expectation', 'Expect: 100-continue', malformed)],
];

/** The factors in the order of the columns of the array; undefined where an operation has no such request. */
export function factorsOf(
  operation: Pick<Operation, 'method' | 'auth' | 'scope' | 'requestSchema'>,
  origin: URL,
  keys: Keys = {},
): ReadonlyArray<Factor | undefined> {
  const isRead = isSafe(operation);
  return [
    accept,
    acceptEncoding,
    acceptLanguage,
    userAgent,
    cookie,
    forwarded(origin),
    isRead ? surroundings : surroundingsOfWrite,
    isRead ? condition : undefined,
    isRead ? query : queryOfWrite,
    operation.requestSchema === undefined ? undefined : body,
    credentialsFor(operation, keys),
    caching,
    operation.requestSchema === undefined ? wire : wireOfBody,
  ];
}

const own = 'own query';
const named = 'name of the contract';

/** Path parameters of other operations, with known values, in the query: a service may ignore them, refuse them or filter by them. */
export async function contractNames(client: CaseClient): Promise<readonly Trait[]> {
  const { pathParameters } = client.caseOperation;
  const traits = new Map<string, Trait>();
  for (const other of client.operations)
    for (const name of Object.keys(other.parameterKinds ?? {})) {
      if (pathParameters.includes(name) || traits.has(name)) continue;
      const known = await unlessInconclusive(() => client.knownValue(name, other));
      const query = known && `${name}=${encodeURIComponent(known.value)}`;
      if (query !== undefined)
        traits.set(name, { ...parameter(query, missing), factor: named, id: query, says: `query ${query}` });
    }
  return [...traits.values()];
}

/** The headers and query parameters of the target file. */
export function ownTraits(client: Pick<CaseClient, 'ownValues'>): readonly Trait[] {
  const headers = client.ownValues('header').map((line, at): Trait => {
    const [name = '', ...value] = String(line).split(':');
    const says = `the header ${name.trim()} of the target file`;
    const own = header(name.trim(), value.join(':').trim());
    return { ...own, factor: 'own header', id: String(at + 1), says };
  });
  const says = 'a query of the target file';
  const queries = client
    .ownValues('query')
    .map(
      (query, at): Trait => ({ ...parameter(String(query), missing), factor: own, id: String(at + 1), says }),
    );
  return [...headers, ...queries];
}

/** The headers of these names, as some clients, networks and tools add them. */
function rare(...names: readonly string[]): readonly Trait[] {
  return names.map((name) => header(name, rareHeaders[name]?.[0]));
}

/** The statuses other than 200 that a value allows. */
export function allowedFor(factor: string, id: string): readonly number[] {
  if (factor === own || factor === named) return missing.allows ?? [];
  return allowing.get(`${factor} ${id}`) ?? (factor === 'query' ? missing.allows : undefined) ?? [];
}

/** The statuses that each value allows, by factor and id: a read without a key and a write with a body have all factors. */
const allowing: ReadonlyMap<string, readonly number[]> = new Map(
  [{ method: 'GET', auth: 'none' } as const, { method: 'POST', auth: 'api-key', requestSchema: '' } as const]
    .flatMap((operation) => factorsOf(operation, new URL('https://shop.example')))
    .flatMap((factor) => factor?.flat() ?? [])
    .map(({ factor, id, allows = [] }) => [`${factor} ${id}`, allows]),
);

function header(name: string, value: string | undefined, rest: Rest = {}): Trait {
  const says = value === undefined ? `no ${name}` : `${name}: ${shortened(value, 150)}`;
  const slot = name.toLowerCase();
  return { factor: slot, id: value ?? 'none', says, slot, change: withHeader(slot, value), ...rest };
}

/** Headers by what they say, as the table of all clients has them. */
function usual<N extends string, S extends Lowercase<N> & keyof typeof clientHeaders>(
  name: N,
  ...ids: ReadonlyArray<keyof (typeof clientHeaders)[S]>
): readonly Trait[] {
  const values: Partial<Record<PropertyKey, string>> = clientHeaders[name.toLowerCase() as S];
  return ids.map((id) => header(name, values[id]));
}

/** Parameters of a query, divided by white space; behind a question mark, what may name nothing. */
function parameters(texts: string): readonly Trait[] {
  return texts
    .split(/\s+/)
    .map((text) => (text.endsWith('?') ? parameter(text.slice(0, -1), missing) : parameter(text)));
}

/** A query of one parameter, as it is sent. */
export function parameter(query: string, rest: Rest = {}): Trait {
  const id = shortened(query, longestId);
  const slot = `?${query.split('=', 1)[0]}`;
  const variation = { factor: 'query', id, says: `query ${id}`, change: withQuery(query) };
  return { ...variation, query, slot, ...malformed, ...rest };
}

/** Smaller values of a query parameter, each short enough for its id to be the whole query. */
export function* smallerQueries({ query = '' }: Trait): Generator<Trait> {
  // Not even half of it would be.
  if (query.length > 2 * longestId) return;
  const [name = '', value = ''] = query.split(/(?<=^[^=]*=)/, 2);
  for (const tokens of smallerSequences(tokensOf(value), () => plainToken)) {
    const smaller = name + tokens.join('');
    if (smaller.length <= longestId && tokens.length > 0) yield parameter(smaller);
  }
}

function ofWire(id: WireForm, says: string, rest: Rest = {}): Trait {
  return { factor: 'wire', id, says, slot: id, change: onTheWire(id), ...rest };
}

function ofBody(id: string, says: string, rest: Rest = {}): Trait {
  const change = withBody((body) => bodyChanges[id]?.(body) ?? body);
  return { factor: 'body', id, says, slot: id, change, ...rest };
}

function key(id: string, credential: Credential | undefined, says: string, rest: Rest = {}): Trait {
  return { factor: 'credential', id, says, change: withKey(credential), ...rest };
}

/** The beginning of a text that is longer than so many characters, and how long it is. */
function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, 20)}… (${text.length} characters)` : text;
}
