import { isSafe, type Operation } from '../../spec/operation.ts';
import { isBlockedInFront } from '../evidence/answer.ts';
import type { Exchange } from '../model/exchange.ts';
import type { CallSpec } from './call-spec.ts';
import { clientHeaders, rareHeaders, unsampledTrace } from './client-headers.ts';
import type { KeyRing } from './key-ring.ts';

/**
 * A value of a factor that a conforming service may not notice: the factor is a header in lower case, `authorization` with the
 * kind of a key as its value, or `query` with one parameter.
 */
export type Rider = readonly [factor: string, value: string];

/** The factor of the spelling of header names, which has one value beside that of the harness: as in `Content-Type`. */
export const usualNames = 'spelling of names';

interface RidingFactor {
  readonly factor: string;
  readonly values: readonly string[] | ((operation: Operation, spec: RidingSpec) => readonly string[]);
  /** Whether it fits a call of an operation; any if absent. */
  readonly fits?: (operation: Operation, spec: RidingSpec) => boolean;
  /** A call without any value of it is one to be sent as well, however few calls there are. */
  readonly isOptional?: true;
  /** Statuses by which a conforming service may refuse its values; the call is then sent without them. */
  readonly refusals?: readonly number[];
  /** The usual rules of firewalls block its values. */
  readonly isBlocked?: true;
}

type RidingSpec = Pick<CallSpec, 'expects' | 'isCrowded' | 'body' | 'headers' | 'tag'>;

/** Fields that ride along or are set by the call: Varnish takes 64 with the request line, some of which clients and proxies add. */
const mostFields = 40;

const ofHeaders: readonly RidingFactor[] = Object.entries(clientHeaders).map(([factor, values]) => ({
  factor,
  values: Object.values(values),
}));

// Half of them ride on each call.
const ofRareHeaders: readonly RidingFactor[] = Object.entries(rareHeaders).map(([factor, values]) => ({
  factor,
  values,
  isOptional: true,
}));

const unmatched = ['"never-issued"', 'W/"never-issued", "nor-this"'];

const special: readonly RidingFactor[] = [
  // A condition of a write may be one that the service tests.
  { factor: 'if-none-match', values: unmatched, fits: (...call) => isSafe(call[0]) && !isRefused(...call) },
  // What is refused matches nothing either.
  {
    factor: 'if-none-match',
    values: (_operation, { tag }) => ['*', ...(tag === undefined ? [] : [tag]), ...unmatched],
    fits: (...call) => isSafe(call[0]) && isRefused(...call),
  },
  // Recipients must read the form of RFC 850 as well (RFC 9110 section 5.6.7).
  {
    factor: 'if-modified-since',
    values: (...call) => [
      'Sat, 29 Oct 1994 19:43:31 GMT',
      'Saturday, 29-Oct-94 19:43:31 GMT',
      // Beyond the seconds that 32 bits count. A valid call may be answered 304.
      ...(isRefused(...call) ? ['Thu, 01 Jan 2099 00:00:00 GMT'] : []),
    ],
    fits: isSafe,
  },
  // Nothing of a refusal can be left out: not a part of it, and not its body. Varnish answers 416 or 503 to other units.
  { factor: 'range', values: ['bytes=0-9'], fits: isRefused },
  // Whoever comes from the machine itself may be shown more of an error.
  { factor: 'x-forwarded-for', values: ['127.0.0.1'], fits: isRefused, isOptional: true },
  { factor: 'prefer', values: ['return=minimal', 'return=representation'], fits: isRefused },
  {
    factor: 'transfer-encoding',
    values: ['chunked'],
    fits: (operation, spec) => mediaTypeOf(operation, spec) !== undefined,
  },
  {
    factor: 'content-type',
    // A client that leaves it to its library sends JSON as text. Where the key is good, many services look at it first.
    values: ['application/json;charset=utf-8', 'Application/JSON', 'text/plain;charset=UTF-8'],
    fits: (operation, spec) =>
      mediaTypeOf(operation, spec) === 'application/json' && spec.expects?.includes(401) === true,
    refusals: [400, 403, 415],
  },
  ...['x-http-method-override', 'x-http-method'].map(
    (factor): RidingFactor => ({
      factor,
      values: ({ method }) => [method],
      isOptional: true,
      isBlocked: true,
      refusals: [400],
    }),
  ),
  // Scripts get it as a variable that names the proxy for their own calls (httpoxy.org).
  {
    factor: 'proxy',
    values: ['http://proxy.example:3128'],
    isOptional: true,
    isBlocked: true,
    refusals: [400],
  },
  { factor: 'x-correlation-id', values: ['order "42"'], refusals: [400] },
  {
    factor: 'query',
    // The last one is a question mark without a query. What is refused has no second page either.
    // Filters take what ends like the name of a file for one that needs no key.
    values: (...call) => [
      isRefused(...call) ? 'utm_source=mail.css' : 'utm_source=mail',
      'callback=go',
      isRefused(...call) ? 'page=2' : 'page=1',
      '',
    ],
    refusals: [400],
  },
  // By these, frameworks and services show traces in errors.
  {
    factor: 'query',
    values: ['debug=true', 'trace=true'],
    fits: isRefused,
    isOptional: true,
    refusals: [400],
  },
  { factor: 'traceparent', values: [unsampledTrace], isOptional: true },
  { factor: usualNames, values: ['usual'], isOptional: true },
];

const factors: readonly RidingFactor[] = [...ofHeaders, ...ofRareHeaders, ...special];

function isRefused(_operation: Operation, { expects = [] }: RidingSpec): boolean {
  return !expects.includes(200);
}

/** The media type of the body that a call sends; undefined where it sends none, or no byte of one: a framing is its own row there. */
function mediaTypeOf({ requestSchema }: Operation, { body }: RidingSpec): string | undefined {
  if (body === 'none' || body?.bytes.length === 0 || requestSchema === undefined) return undefined;
  return body === undefined ? 'application/json' : body.contentType;
}

/** Whether a call that expects some statuses tells a refusal of what rides along from its own response. */
function tellsRefusals(
  { expects = [], isCrowded }: RidingSpec,
  { refusals = [], isBlocked }: RidingFactor,
): boolean {
  if (isCrowded === true) return refusals.length === 0 && isBlocked !== true;
  const others = expects.filter((status) => !refusals.includes(status));
  return others.length === expects.length || others.length === 1;
}

/** Calls of one step in which each of as many values rides along; the others ride on refused calls after these. */
export const riderRows = 4;

export function ridersOn(
  operation: Operation,
  spec: RidingSpec,
  keys: KeyRing,
  {
    nth,
    isLoaded,
    random,
  }: { readonly nth: number; readonly isLoaded: boolean; readonly random: () => number },
): readonly Rider[] {
  const all = [...factors, ...ofKeys(operation, keys)].flatMap((riding, at) => {
    const { factor, fits, isOptional } = riding;
    const values = typeof riding.values === 'function' ? riding.values(operation, spec) : riding.values;
    // Each factor has a start of its own.
    const start = Math.floor(random() * 1_000);
    // One more choice, where there is room: the value of the harness, or none.
    const none = isOptional === true || !isLoaded ? 1 : 0;
    const most = values.length + none;
    const choices = isRefused(operation, spec) && nth < riderRows ? Math.min(most, riderRows) : most;
    const value = values[(start + nth + Math.floor(nth / choices) * at) % choices];
    const rides = fits?.(operation, spec) !== false && tellsRefusals(spec, riding);
    return value === undefined || !rides ? [] : [[factor, value] as const];
  });
  const riders: Rider[] = [...new Map(all)];
  const surplus = riders.length + Object.keys(spec.headers ?? {}).length - mostFields;
  for (let left = surplus; left > 0 && riders.length > 0; left -= 1)
    riders.splice(Math.floor(random() * riders.length), 1);
  return riders;
}

/** The factors that rode along on a call for which a conforming service may have refused it so. */
export function refusedFactors(exchange: Exchange): readonly string[] {
  const { neutral = [], response } = exchange;
  const refused = factors.filter(
    ({ refusals = [], isBlocked }) =>
      refusals.includes(response?.status ?? 0) || (isBlocked === true && isBlockedInFront(exchange)),
  );
  return [...new Set(refused.map(({ factor }) => factor))].filter((factor) => neutral.includes(factor));
}

/** The kinds of keys that a valid call may carry in place of its usual one, or of none. */
function ofKeys({ auth, scope }: Operation, { scoped, unscoped }: KeyRing): readonly RidingFactor[] {
  const isUsual = auth === 'api-key';
  if (isUsual && (scope !== undefined || scoped === undefined)) return [];
  const values = [
    ...(scoped === undefined || isUsual ? [] : ['scoped']),
    ...(unscoped === undefined ? [] : ['unscoped']),
  ];
  return values.length === 0 ? [] : [{ factor: 'authorization', values, isOptional: true }];
}

export function ridersOf({ neutral = [], request }: Exchange): readonly Rider[] {
  return neutral.map((name) => [name, sentValue(name, request)]);
}

function sentValue(factor: string, { credential, headers, path }: Exchange['request']): string {
  if (factor === 'authorization') return credential.kind;
  if (factor === usualNames) return 'usual';
  if (factor === 'query') return path.slice(path.search(lastParameter) + 1);
  return headers.find(([sent]) => sent === factor)?.[1] ?? '';
}

const lastParameter = /[?&][^?&]*$/;

/** The path of a call without a query parameter that rode along. */
export function pathWithoutRider({
  neutral = [],
  request: { path },
}: Pick<Exchange, 'neutral' | 'request'>): string {
  return neutral.includes('query') ? path.replace(lastParameter, '') : path;
}

/** What rode along, as people write it. */
export function describeRiders(exchange: Exchange): readonly string[] {
  return ridersOf(exchange).map(([factor, value]) => {
    if (factor === 'authorization') return `the ${exchange.request.credential.description}`;
    if (factor === usualNames) return 'header names spelled as in Authorization';
    if (factor !== 'query') return `${factor}: ${value}`;
    return value === '' ? 'a question mark without a query' : `the query parameter ${value}`;
  });
}
