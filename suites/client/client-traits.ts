import type { Exchange, Row } from '../../harness/model/exchange.ts';
import type { RawBody } from '../../harness/requests/call-spec.ts';
import { isSafe, type Operation } from '../../spec/operation.ts';

/** One way in which a client may differ from the plain one of all other checks. */
export interface Trait {
  /** What it changes: a header, or another factor of a call. */
  readonly factor: string;
  /** The value of the factor. */
  readonly id: string;
  /** What reports call it. */
  readonly name: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** One query parameter as it is sent. */
  readonly query?: string;
  readonly body?: (valid: RawBody) => RawBody;
  /** What of the body it changes, where changes of other parts may go beside it. */
  readonly part?: string;
  /** Other values of the same name would hide it. */
  readonly isAlone?: true;
  readonly credential?: 'scoped' | 'unscoped' | 'unknown' | 'unreadable';
  /** The usual rules of firewalls block it. */
  readonly isBlocked?: true;
  /** Statuses beside 200 with which a conforming service may answer it. */
  readonly allows?: readonly number[];
}

/** The values of one factor of the array, each of some traits; a value without traits is the plain client. */
export type Factor = readonly [TraitList, TraitList, TraitList, TraitList, TraitList];

type TraitList = readonly Trait[];

const plain: TraitList = [];

function header(name: string, value: string | undefined, rest: Partial<Trait> = {}): TraitList {
  const text = value === undefined ? `no ${name}` : `${name}: ${value}`;
  const factor = name.toLowerCase();
  return [{ factor, id: value ?? 'none', name: text, headers: { [factor]: value }, ...rest }];
}

const alone = { isAlone: true } as const;

/** What the OWASP rules, or those against robots, block. */
const blocked = { isBlocked: true } as const;

/** A value that no grammar admits may be refused. */
const malformed = { allows: [400] };

const accept: Factor = [
  header('Accept', undefined, alone),
  header('Accept', '*/*', alone),
  header('Accept', 'application/json, text/plain, */*'),
  header('Accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'),
  header('Accept', 'text/plain;q=0.1, application/json;q=0.9'),
];

const acceptEncoding: Factor = [
  header('Accept-Encoding', 'gzip, deflate, br'),
  header('Accept-Encoding', 'gzip'),
  header('Accept-Encoding', 'identity'),
  header('Accept-Encoding', 'identity;q=1, *;q=0'),
  header('Accept-Encoding', 'br;q=1.0, gzip;q=0.5'),
];

const acceptLanguage: Factor = [
  header('Accept-Language', 'de-DE,de;q=0.9,en;q=0.7'),
  header('Accept-Language', 'es-419,es;q=0.9,zh-Hans-CN;q=0.8'),
  header('Accept-Language', 'fr-FR,fr;q=0.9'),
  header('Accept-Language', 'en_AE', malformed),
  header('Accept-Language', '*'),
];

const userAgent: Factor = [
  plain,
  header('User-Agent', undefined, { ...alone, ...blocked }),
  [
    ...header(
      'User-Agent',
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0',
    ),
    ...header('Sec-CH-UA', '"Not;A,Brand";v="8", "Chromium";v="126"'),
  ],
  header('User-Agent', 'curl/8.5.0', blocked),
  header('User-Agent', 'python-requests/2.32.3', blocked),
];

const cookie: Factor = [
  plain,
  header('Cookie', 'theme=100%; token=a=b=='),
  header('Cookie', 'session=abc; $bad=x; bare', blocked),
  header('Cookie', 'session=expired'),
  header('Cookie', '_ga=GA1.2.3; _ga=GA1.2.4; consent=%7B%7D'),
];

/** What proxies say of themselves and trace by; unreadable values are to be ignored, and may be refused. */
const traced: TraitList = [
  ...header('Via', '1.1 proxy.example'),
  ...header('Traceparent', '00-conformance-0-00', malformed),
  ...header('X-Request-Id', 'conformance-'.repeat(17), malformed),
];

/** What the surroundings of a client add: a browser's page on another site, a library, a proxy. */
function surroundings(isRead: boolean): Factor {
  const retried = isRead ? plain : header('Idempotency-Key', 'conformance-'.repeat(5), malformed);
  return [
    [...header('Origin', 'https://shop.example'), ...header('Sec-Fetch-Site', 'cross-site'), ...retried],
    [...header('Connection', 'close'), ...header('Prefer', 'respond-async')],
    // RFC 9110 deprecates Accept-Charset, and the OWASP rules refuse it.
    [
      ...header('Upgrade-Insecure-Requests', '1'),
      ...header('Referer', 'android-app://com.example.shop/'),
      ...header('Accept-Charset', 'utf-8', { ...malformed, ...blocked }),
      ...retried,
    ],
    traced,
    [
      ...(isRead ? header('Content-Type', 'application/json') : header('Prefer', 'return=minimal')),
      ...header('TE', 'trailers'),
      ...header('Origin', 'null'),
    ],
  ];
}

/** Only matching conditions change an answer; those of a client that has read nothing yet match nothing. */
const condition: Factor = [
  header('If-Modified-Since', '0', malformed),
  header('If-None-Match', '"never-issued"'),
  header('If-None-Match', 'abc', malformed),
  // Any condition of a write that holds is one of a read as well.
  [...header('If-Modified-Since', 'Sat, 29 Oct 1994 19:43:31 GMT'), ...header('If-Match', '*')],
  header('If-None-Match', 'W/"never-issued", "nor-this"'),
];

function key(id: NonNullable<Trait['credential']>, what: string, rest: Partial<Trait> = {}): TraitList {
  return [{ factor: 'credential', id, name: `${what} at a public read`, credential: id, ...rest }];
}

const credential: Factor = [
  plain,
  key('scoped', 'a good key'),
  key('unscoped', 'a good key without scopes'),
  key('unknown', 'an unknown key', { allows: [401] }),
  key('unreadable', 'an unreadable key', { allows: [400, 401] }),
];

function parameters(...queries: readonly (string | Partial<Trait>)[]): TraitList {
  return queries.map((one) => {
    const trait = typeof one === 'string' ? { query: one } : one;
    const id = shortened(trait.query ?? '');
    return { factor: 'query', id, name: `query ${id}`, allows: [400], ...trait };
  });
}

/** A page or a record that does not exist, or cannot be told from an unreadable query, may be not found. */
const mayBeMissing = { allows: [400, 404] };

const query: Factor = [
  parameters(
    'sort=created_at',
    { query: 'page=0', ...mayBeMissing },
    'include=0.0',
    'format=xml',
    'q=caf%C3%A9+linen%2Fcotton+%28shirt',
    'limit=-1',
  ),
  parameters(
    'limit=abc',
    { query: 'page=1.5', ...mayBeMissing },
    'filter%5Bparent%5D=clothes',
    { query: 'ids=', ...mayBeMissing },
    'callback=go',
    { query: 'q=', ...alone },
    'debug',
    'min_price=abc',
  ),
  parameters(
    'limit=1000000000',
    { query: 'offset=-100', ...mayBeMissing },
    'q=linen&q=wool',
    'q%5B%5D=linen',
    'sort%5B%5D=price',
    { query: 'locale=en_GB', ...mayBeMissing },
  ),
  parameters(
    { query: 'q=a%00b', ...alone, ...blocked },
    { query: '_method=OPTIONS', ...blocked },
    { query: 'page=%zz', ...mayBeMissing, ...blocked },
    { query: 'ref=%FF', ...mayBeMissing, ...blocked },
    { query: `state=${'a'.repeat(2_100)}`, allows: [400, 414] },
  ),
  parameters(
    'utm_source=mail',
    { query: 'page=99999', ...mayBeMissing },
    { query: 'cursor=abc', ...mayBeMissing },
    'q=%22linen+AND',
    'limit=0',
    '_=1700000000000',
    { query: Array.from({ length: 21 }, (_, at) => `id=${at}`).join('&'), ...mayBeMissing },
  ),
];

/** Parameters of a call that changes something: a contract that names none leaves open whether they are refused. */
const queryOfWrite: Factor = [
  plain,
  parameters('utm_source=mail'),
  plain,
  parameters('debug', 'callback=go'),
  plain,
];

function inBody(id: string, name: string, body: Trait['body'] & {}, rest: Partial<Trait> = {}): Trait {
  return { factor: 'body', id, name, body, ...rest };
}

/** The body under another media type, made from its own. */
function under(change: (contentType: string) => string): Trait['body'] & {} {
  return ({ bytes, contentType = '' }) => ({ bytes, contentType: change(contentType) });
}

/** A service may bound the size of a body, which the contract does not show. */
const fiveThousandBlanks: Trait = inBody(
  'blanks-before',
  '5,000 blanks before the body',
  (valid) => padded(valid, ' '.repeat(5_000), ''),
  { part: 'blanks', allows: [400, 413] },
);

/** As many bytes in other forms: where one of them is accepted, the size does not explain a refusal. */
const asLarge: readonly Trait[] = [
  inBody('blanks-after', '5,000 blanks after the body', (valid) => padded(valid, '', ' '.repeat(5_000))),
  inBody('long-member', 'a member of 5,000 letters', (valid) => withMember(valid, 'a'.repeat(4_980))),
];

const body: Factor = [
  [fiveThousandBlanks],
  [
    inBody(
      'type-in-capitals',
      'Content-Type: Application/JSON',
      under((type) => type.replace('application/json', 'Application/JSON')),
      { part: 'case' },
    ),
    inBody('line-break-before', 'a line break before the body', (valid) => padded(valid, '\n', ''), {
      part: 'start',
    }),
  ],
  [
    inBody(
      'charset',
      'Content-Type: application/json;charset=utf-8',
      under((type) => `${type};charset=utf-8`),
      { part: 'charset' },
    ),
    inBody(
      'escaped-letters',
      'letters of the body escaped',
      ({ bytes, contentType }) => ({ bytes: escaped(bytes), contentType }),
      { part: 'letters' },
    ),
  ],
  [
    ...header('Transfer-Encoding', 'chunked', { factor: 'framing', name: 'a body in chunks' }),
    inBody(
      'quoted-charset',
      'Content-Type: application/json; charset="utf-8"',
      under((type) => `${type}; charset="utf-8"`),
      { part: 'charset' },
    ),
  ],
  [
    // The contract names no limit for the size of a body.
    inBody(
      'many-blanks-after',
      '60,000 blanks after the body',
      (valid) => padded(valid, '', ' '.repeat(60_000)),
      { allows: [400] },
    ),
    // Some readers take an exponent for a fraction.
    inBody(
      'exponents',
      'whole numbers with an exponent',
      ({ bytes, contentType }) => ({ bytes: withExponents(bytes), contentType }),
      { allows: [400] },
    ),
  ],
];

/** The factors in the order of the columns of the array; undefined where an operation has no such request. */
export function factorsOf(operation: Operation, forwarded: Factor): ReadonlyArray<Factor | undefined> {
  const isRead = isSafe(operation);
  return [
    accept,
    acceptEncoding,
    acceptLanguage,
    userAgent,
    cookie,
    forwarded,
    surroundings(isRead),
    isRead ? condition : undefined,
    isRead ? query : queryOfWrite,
    operation.requestSchema === undefined ? undefined : body,
    operation.auth === 'none' ? credential : undefined,
  ];
}

const allowing: ReadonlyMap<string, readonly number[]> = new Map(
  [
    acceptLanguage,
    forwardedBy({ host: 'shop.example', scheme: 'https' }),
    surroundings(false),
    condition,
    query,
    body,
    credential,
  ]
    .flat(2)
    .map(({ factor, id, allows = [] }) => [`${factor} ${id}`, allows]),
);

/** Label and row of a call with these traits. */
export function namedBy(traits: readonly Trait[]): Pick<Exchange, 'label'> & { readonly row: Row } {
  const row: Record<string, readonly string[]> = {};
  for (const { factor, id } of traits) row[factor] = [...(row[factor] ?? []), id];
  return { label: traits.map(({ name }) => name).join(' + '), row };
}

/** The statuses beside 200 that the values of a call allow. */
export function allowedBy(row: Row = {}): readonly number[] {
  return Object.entries(row).flatMap(([factor, ids]) =>
    [ids].flat().flatMap((id) => allowing.get(`${factor} ${id}`) ?? []),
  );
}

/** Traits whose acceptance shows that a call was not refused for its size; none for most calls. */
export function asLargeAs(row: Row | undefined): readonly Trait[] {
  return JSON.stringify(row) === JSON.stringify(namedBy([fiveThousandBlanks]).row) ? asLarge : [];
}

/** What a proxy in front would add: true of the host and the scheme, as a service that trusts it may route by it. */
export function forwardedBy({ host, scheme }: { readonly host: string; readonly scheme: string }): Factor {
  const port = new URL(`${scheme}://${host}`).port || (scheme === 'https' ? '443' : '80');
  return [
    header('X-Forwarded-For', 'unknown'),
    [
      ...header('X-Forwarded-For', '203.0.113.7, 198.51.100.2'),
      ...header('X-Forwarded-Port', `${port}, ${port}`, {
        ...malformed,
        id: 'two-proxies',
        name: 'X-Forwarded-Port of two proxies',
      }),
    ],
    header('X-Forwarded-Host', `, ${host}`),
    [...header('X-Forwarded-Proto', scheme), ...header('X-Forwarded-For', '203.0.113.7:49152')],
    header('Forwarded', `for="[2001:db8::1]:4711";proto=${scheme};host="${host}"`),
  ];
}

/** The first letter of each name and text as an escape, which means the same (RFC 8259, section 7). */
function escaped(bytes: Buffer): Buffer {
  const text = bytes
    .toString()
    .replace(/"(?:[^"\\]|\\.)*"/g, (quoted) => quoted.replace(/^"([A-Za-z])/, escapeOf));
  return Buffer.from(text);
}

function escapeOf(_match: string, letter: string): string {
  return `"\\u00${letter.charCodeAt(0).toString(16)}`;
}

function withExponents(bytes: Buffer): Buffer {
  const tokens = /"(?:[^"\\]|\\.)*"|-?\d+(?![\d.eE])/g;
  return Buffer.from(
    bytes.toString().replace(tokens, (token) => (token.startsWith('"') ? token : `${token}e0`)),
  );
}

function padded({ bytes, contentType }: RawBody, before: string, after: string): RawBody {
  return { bytes: Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)]), contentType };
}

/** One more member of an object; other bodies stay as they are. */
function withMember({ bytes, contentType }: RawBody, text: string): RawBody {
  const member = `{"conformance":"${text}"`;
  const changed = bytes.toString().replace(/^\{\s*(\}?)/, (_all, end: string) => member + (end || ','));
  return { bytes: Buffer.from(changed), contentType };
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 20)}… (${text.length} characters)` : text;
}
