import { type BodyVariation, backwards, type Spelling } from '../../harness/checks/vary-body.ts';
import { escapedUnit, jsonText, numberAsWritten } from '../../harness/fuzzing/json-text.ts';
import { smallerSequences } from '../../harness/fuzzing/reduce.ts';
import { keptAt } from '../../harness/kept-at.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Json } from '../../harness/model/target.ts';
import { clientHeaders, unsampledTrace } from '../../harness/requests/client-headers.ts';
import type { Rider } from '../../harness/requests/riders.ts';

/** What sets a call apart from the valid one. */
export interface Way {
  /** A key that every target must refuse. */
  readonly credential?: 'none' | 'invalid' | 'unscoped';
  /** A body that every target must refuse. */
  readonly wrongBody?: 'none' | 'broken';
  /**
   * Other bodies that should be as valid, of which the first that a target accepts counts: by numbers and links, by texts,
   * equal ones, the same under another media type, or with the members that the last read showed.
   */
  readonly varied?: ReadonlyArray<BodyVariation | OtherType | 'read'>;
  /** What no conforming service notices; the cookies are those that the service set. */
  readonly neutral?: Rider | 'cookies';
  /** Asks only for what differs from the first read of its session, by its entity tag or its time; omitted where it had neither. */
  readonly ifChanged?: true;
  /** Another spelling of the id in the path: one that is equal by the rules of URLs, or may be another id. */
  readonly spelling?: 'percent-encoded' | 'in capitals';
  /** Sent at the same time as the call before it, or a moment later. */
  readonly beside?: 'at once' | 'later';
}

/** Another media type for the same bytes, which a target may refuse. */
interface OtherType {
  readonly contentType: string;
}

/** Each number as a fraction of nothing, which is as whole. */
const asFractions: Spelling = {
  write: (body) => {
    const text = JSON.stringify(body, (_name, value: Json) =>
      Number.isInteger(value) ? numberAsWritten(`${value}.0`) : value,
    );
    return jsonText(JSON.parse(text) as Json);
  },
};

/** The first letter of each text and name escaped. */
const escaped: Spelling = {
  write: (body) => JSON.stringify(body).replace(/(?<=[{[:,]")[a-z]/gi, escapedUnit),
};

/** One of each thing, and addresses of plain HTTP, as those of a developer are. */
const ofOne: Spelling = {
  write: (body) =>
    JSON.stringify(body, (_name, value: Json) => (Number.isInteger(value) ? 1 : value)).replaceAll(
      '"https://',
      '"http://',
    ),
};

/** A member that the contract does not show, which a target may refuse. */
const withMember: Spelling = {
  write: (body) => JSON.stringify({ ...Object(body), conformance: 'conformance' }),
};

/** No member at all: the contract does not say which ones a body must have. */
const empty: Spelling = { write: () => '{}' };

const greek = (text: string): string => text.replace(/[a-z]/gi, 'λ');

/** Longer than a usual column. */
const long = (text: string): string => text.padEnd(300, 'a');

/** A text with what JSON escapes. */
const quoted = (text: string): string => `"${text}" \\`;

const withQuery = 'with a query';

const ways: Readonly<Record<string, Way>> = {
  'without a key': { credential: 'none' },
  'with an unknown key': { credential: 'invalid' },
  'with a key without the scope': { credential: 'unscoped' },
  'without a body': { wrongBody: 'none' },
  'with a body that is not JSON': { wrongBody: 'broken' },
  'with another body': { varied: [1, backwards] },
  'with a much larger body': { varied: [300, 2] },
  'with a third body': { varied: [3] },
  'with a fourth body': { varied: [4] },
  'with a fifth body': { varied: [5] },
  'with a sixth body': { varied: [6] },
  'with one of each': { varied: [ofOne] },
  'with text outside ASCII': { varied: [greek] },
  'with one more member': { varied: [withMember] },
  'with an empty object': { varied: [empty] },
  'with other text': { varied: [backwards] },
  'with long text': { varied: [long] },
  'with quoted text': { varied: [quoted] },
  'with other links': { varied: ['links'] },
  'with what its read shows': { varied: ['read'] },
  'in another charset': { varied: [{ contentType: 'application/json; charset=iso-8859-1' }] },
  'as plain text': { varied: [{ contentType: 'text/plain' }] },
  'with its numbers as fractions': { varied: [asFractions] },
  'with escaped letters': { varied: [escaped] },
  'with Cache-Control: no-cache': { neutral: ['cache-control', clientHeaders['cache-control'].unread] },
  'with Cache-Control: no-store': { neutral: ['cache-control', 'no-store'] },
  'accepting gzip': { neutral: ['accept-encoding', clientHeaders['accept-encoding'].gzip] },
  'in French': { neutral: ['accept-language', clientHeaders['accept-language'].french] },
  [withQuery]: { neutral: ['query', 'utm_source=mail'] },
  'on a closing connection': { neutral: ['connection', clientHeaders.connection.close] },
  'in one trace': { neutral: ['traceparent', unsampledTrace] },
  'with the cookies of the service': { neutral: 'cookies' },
  'if it has changed': { ifChanged: true },
  'by its id percent-encoded': { spelling: 'percent-encoded' },
  'by its id in capitals': { spelling: 'in capitals' },
  'at the same time': { beside: 'at once' },
  'a moment later': { beside: 'later' },
};

const wayNames = Object.keys(ways);

/** Ways with a key that every target must refuse. */
export const wrongKeys: readonly string[] = namesWith('credential');

/** Ways that no conforming service notices, whatever the key: a query may be refused before it. */
export const neutralWays: readonly string[] = namesWith('neutral').filter((name) => name !== withQuery);

function namesWith(member: keyof Way): readonly string[] {
  return wayNames.filter((name) => ways[name]?.[member] !== undefined);
}

const acts = ['create', 'read', 'cancel'] as const;

/** One call in a walk, or a wait: a time longer than any part of a service may take to learn of a change. */
export interface WalkCall {
  readonly act: (typeof acts)[number] | 'wait';
  /** A letter that stands for the session, assigned in the order of the creates; empty for a wait. */
  readonly session: string;
  readonly ways: readonly string[];
}

/** Calls on sessions that the walk creates; it begins with a create of session A. */
export type Walk = readonly WalkCall[];

/** A wait as descriptions write it. */
export const wait = 'wait 2 s';

const letters = 'ABCDEFGHIJKL';

/** All that sets a call apart from the valid one; nothing for no call. */
export function wayOf(call: WalkCall | undefined): Way {
  return Object.assign({}, ...(call?.ways ?? []).map((name) => ways[name])) as Way;
}

/** The label of a call, such as `cancel B without a key`. */
export function labelOf({ act, session, ways: names }: WalkCall): string {
  return act === 'wait' ? wait : [act, session, ...names].join(' ');
}

/** The labels of all calls, separated by commas. */
export function describeWalk(walk: Walk): string {
  return walk.map(labelOf).join(', ');
}

/** The calls on one session and the waits of a walk, with the number of the others. */
export function describeSession(text: string, session: string): string {
  const walk = parseWalk(text);
  const isOwn = (call: WalkCall | undefined): boolean => call?.session === session;
  const own = walk.flatMap((call, at): Walk => {
    if (call.act !== 'wait' && !isOwn(call)) return [];
    return [isOwn(walk[at - 1]) ? call : withWays(call, ({ beside }) => beside === undefined)];
  });
  const others = walk.length - own.length;
  return others === 0
    ? text
    : `${describeWalk(own)}, among ${others} ${others === 1 ? 'call' : 'calls'} on other sessions`;
}

/** Parses a text such as `create A, cancel A without a key`. */
export function parseWalk(text: string): Walk {
  return text === '' ? [] : text.split(/,\s+/).map(parseStep);
}

function parseStep(text: string): WalkCall {
  if (text === wait) return { act: 'wait', session: '', ways: [] };
  const [, verb, session = '', words = ''] = /^([a-z]+) ([A-L])((?: .+)?)$/.exec(text) ?? [];
  const act = acts.find((one) => one === verb);
  const names: string[] = [];
  for (let rest = words.slice(1); rest !== ''; ) {
    const name = wayNames.find((one) => rest === one || rest.startsWith(`${one} `));
    if (name === undefined) throw new Error(`${text} is not a call`);
    names.push(name);
    rest = rest.slice(name.length + 1);
  }
  if (act === undefined) throw new Error(`${text} is not a call`);
  return { act, session, ways: names };
}

/** The calls of its walk up to and with that of an exchange; undefined where it belongs to none. */
export function walkOf({ row }: Exchange): string | undefined {
  const text = row?.['sequence'];
  return typeof text === 'string' ? text : undefined;
}

/** The place of an exchange in its walk. */
export interface Place {
  readonly call: WalkCall;
  /** Which walk of its attempt it belongs to. */
  readonly nth: string;
  /** Equal for calls that went out together. */
  readonly group: string;
}

const places = new WeakMap<Exchange, Place>();

/** The place of an exchange in a walk; undefined where it belongs to none. */
export function placeOf(exchange: Exchange): Place | undefined {
  const text = walkOf(exchange);
  if (text === undefined) return undefined;
  return keptAt(places, exchange, () => {
    const walk = parseWalk(text);
    const nth = String(exchange.row?.['walk']);
    const start = walk.findLastIndex((one) => wayOf(one).beside === undefined);
    return { call: walk.at(-1) ?? parseStep(text), nth, group: `${nth} ${start}` };
  });
}

/** The call of a walk that an exchange belongs to. */
export function callOf(exchange: Exchange): WalkCall | undefined {
  return placeOf(exchange)?.call;
}

/** All that sets the call of an exchange apart from the valid one. */
export function wayAt(exchange: Exchange): Way {
  return wayOf(callOf(exchange));
}

/** The label of a call by itself, whatever goes out together with it. */
export function labelAlone(call: WalkCall): string {
  return labelOf(withWays(call, ({ beside }) => beside === undefined));
}

function withWays(call: WalkCall, isKept: (way: Way) => boolean): WalkCall {
  return { ...call, ways: call.ways.filter((name) => isKept(ways[name] ?? {})) };
}

/** Creates each session once and before its first use, and renames sessions so that no letter is skipped. */
export function normalizeWalk(walk: Walk): Walk {
  const names = new Map<string, string>();
  return walk.flatMap((call): Walk => {
    if (call.act === 'wait') return [call];
    const isCreate = call.act === 'create';
    if (isCreate === names.has(call.session)) return [];
    if (isCreate) names.set(call.session, letters[names.size] ?? call.session);
    return [{ ...call, session: names.get(call.session) ?? call.session }];
  });
}

/** Walks with fewer or simpler calls that end in a similar call, the shortest first. */
export function* simplerWalks(walk: Walk): Generator<Walk> {
  const last = walk.at(-1);
  const unnoticed = walk.map((call) => withWays(call, ({ neutral }) => neutral === undefined));
  for (const calls of [...withOneWrong(walk), unnoticed, ...smallerSequences(walk, simplest)]) {
    const simpler = normalizeWalk(calls);
    const end = simpler.at(-1);
    if (end?.act === last?.act && isRefused(end) === isRefused(last)) yield simpler;
  }
}

/** The walk with the wrong keys alone, with the wrong bodies alone, and with each of these calls alone. */
function withOneWrong(walk: Walk): readonly Walk[] {
  const wrong = walk.slice(0, -1).filter(isRefused);
  const keys = wrong.filter((call) => wayOf(call).credential !== undefined);
  const kinds = [keys, wrong.filter((call) => !keys.includes(call))].filter(
    ({ length }) => length > 0 && length < wrong.length,
  );
  const some = wrong.length < 2 ? [] : [...kinds, ...wrong.map((one) => [one])];
  return some.map((kept) => walk.filter((call) => kept.includes(call) || !wrong.includes(call)));
}

function isRefused(call: WalkCall | undefined): boolean {
  const { credential, wrongBody } = wayOf(call);
  return credential !== undefined || wrongBody !== undefined;
}

function simplest(call: WalkCall): WalkCall {
  const plain = withWays(call, (way) => (way.neutral ?? way.spelling ?? way.beside) === undefined);
  const names = plain.ways.map((name) => (ways[name]?.credential === undefined ? name : 'without a key'));
  return String(names) === String(call.ways) ? call : { ...call, ways: names };
}
