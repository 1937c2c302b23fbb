import { statusOf } from '../../evidence/answer.ts';
import { generatedValues, listedRow, madeRow } from '../../evidence/sent-values.ts';
import { firstFew } from '../../first-few.ts';
import { keptAt } from '../../kept-at.ts';
import type { CredentialKind, Exchange, HeaderList } from '../../model/exchange.ts';
import { pathWithoutRider, refusedFactors } from '../../requests/riders.ts';
import { tried } from '../../tried.ts';
import { abridged, longest } from '../../visible-text.ts';
import { sentHeader } from './answer-text.ts';
import { isOfCredentials } from './cached-answer.ts';
import { isFailure, isPlain, isSteady, ofValidCalls, type Sighting, statusIn } from './sighting.ts';

/** The part of a call that led to a finding. */
export interface Sent {
  /** One of `sentClasses`. */
  readonly class: string;
  /** The beginning of a sentence, such as `A query that cannot be decoded`. */
  readonly what: string;
  /** The value, such as `page=%zz`, or the name of the call in its case; absent if `what` says everything. */
  readonly value?: string;
}

/** The beginning of a sentence, and the value if there is one; anything else where a class does not fit. */
type Words = readonly [what: string, value?: string] | boolean | undefined;

/** Classes, each with a test, the more specific first, and with its words and value where the test does not give them. */
const classes: ReadonlyArray<
  readonly [name: string, test: (one: Sighting) => Words, what?: string, value?: (sent: Exchange) => string]
> = [
  ['several defects', ({ requirement }) => requirement === 'ERROR-3', 'A call with several defects', labelOf],
  // A refusal for a key is about the key, regardless of other defects of the call.
  ['missing key', (one) => isRefusedAs('none', one), 'A call without a key'],
  ['invalid key', (one) => isRefusedAs('invalid', one) && invalidKey(one.exchange)],
  ['key without scope', (one) => isRefusedAs('unscoped', one), 'A call with a key that lacks the scope'],
  ['repeated call', repeatedCall],
  // A check that watches the calls of a sequence does not know which part of it counts.
  ['call', (one) => one.requirement === 'STATUS-1' && isInSequence(one), 'A call', labelOf],
  [
    'unissued return',
    ({ requirement, expected }) => requirement === 'LOGIN-1' && !expected.startsWith('200'),
    'A login return that was never issued',
    labelOf,
  ],
  ['valid call', validCall],
  ['body without chunks', (one) => isChunked(one) && hasNoBody(one), 'A chunked body without any chunk'],
  ['chunked body', isChunked, 'A body in chunks'],
  ['compressed body', compressedBody],
  [
    'undecodable query',
    ({ exchange }) => tried(decodeURIComponent, queryOf(exchange)) === undefined,
    'A query that cannot be decoded',
    queryOf,
  ],
  ['repeated parameter', hasRepeatedName, 'A query that gives a parameter twice', queryOf],
  [
    'client',
    ({ requirement, exchange: { label } }) =>
      requirement.startsWith('CLIENT') && [`A call with ${label.replace(/^query /, 'the query ')}`],
  ],
  // A status about media types is about the media type, regardless of other defects of the call.
  ['media type', (one) => statusIn(one) === 415 && mediaType(one)],
  ['prototype name', prototypeName],
  [
    'encoded value',
    (one) =>
      one.requirement === 'RESOURCE-1' && generatedValue(one)?.[1].includes('%') === true && pathValue(one),
  ],
  [
    'session of another body',
    ({ exchange }) => exchange.row?.[madeRow] !== undefined,
    'The session that another body made',
    ({ row }) => String(row?.[madeRow]),
  ],
  ['path value', pathValue],
  ['missing key', ({ requirement }) => requirement === 'AUTH-2', 'A call without a key'],
  ['invalid key', ({ exchange }) => exchange.request.credential.kind === 'invalid' && invalidKey(exchange)],
  [
    'key without scope',
    ({ requirement }) => requirement === 'SCOPE-1',
    'A call with a key that lacks the scope',
  ],
  [
    'fields in the query',
    (one) => hasNoBody(one) && queryOf(one.exchange) !== '',
    'A call without its body, whose fields are in the query,',
  ],
  ['missing body', hasNoBody, 'A call without its body'],
  ['media type', mediaType],
  [
    'malformed body',
    ({ exchange }) => exchange.request.body?.json === 'malformed',
    'A body that is not JSON',
    bodyValue,
  ],
  // What only accompanies a check has the usual body.
  [
    'body',
    ({ exchange: { request, role } }) => request.body !== undefined && role !== 'witness',
    'A body',
    bodyValue,
  ],
];

/** Classes of requests on which the fix depends. */
export const sentClasses: ReadonlySet<string> = new Set([...classes.map(([name]) => name), 'call']);

const known = new WeakMap<Sighting, Sent>();

/** The part of its call that led to a finding: the first class that fits. */
export function sentOf(given: Sighting): Sent {
  return keptAt(known, given, () => {
    const sighting = { ...given, exchange: withoutRiders(given.exchange) };
    for (const [name, test, words = '', sentValue] of classes) {
      const found = test(sighting) || [];
      const [what, value = ''] = found === true ? [words, sentValue?.(sighting.exchange)] : found;
      if (what !== undefined) return { class: name, what, ...(value !== '' && { value: abridged(value) }) };
    }
    return { class: 'call', what: 'A call', value: abridged(sighting.exchange.label) };
  });
}

/** The class with its value, at the beginning of a sentence or within one. */
export function withValue({ what, value }: Sent, isBeginning: boolean): string {
  const text = value === undefined ? what : `${what} (${value})`;
  return isBeginning ? text : beginning(text);
}

/** The text in lower case if it begins with an article, for use within a sentence. */
export function beginning(text: string): string {
  return text.replace(/^(?:An?|The|[A-Z][a-z]+) /, (word) => word.toLowerCase());
}

/** Whether a call got the refusal that its key calls for. */
function isRefusedAs(kind: CredentialKind, sighting: Sighting): boolean {
  const isOfKey = sighting.exchange.request.credential.kind === kind;
  if (ofValidCalls.test(sighting.requirement)) return false;
  return isOfKey && statusIn(sighting) === (kind === 'unscoped' ? 403 : 401);
}

function isInSequence({ exchange }: Sighting): boolean {
  return exchange.row?.['sequence'] !== undefined;
}

function labelOf({ label }: Exchange): string {
  return label;
}

function compressedBody({ exchange }: Sighting): Words {
  const coding = sentHeader(exchange, 'content-encoding');
  return coding !== undefined && [`A body compressed with ${coding}`];
}

/** Calls whose keys the seed chooses have no row, and labels that do not name the key. */
function invalidKey({ row, label, request }: Exchange): Words {
  return ['A call with an invalid key', row === undefined ? request.credential.description : label];
}

/** An exchange without the riders that need not have led to its response: one alone, or one that is refused so, may have. */
function withoutRiders(exchange: Exchange): Exchange {
  const { neutral = [], request } = exchange;
  const kept = neutral.length === 1 ? neutral : refusedFactors(exchange);
  const dropped = neutral.filter((factor) => !kept.includes(factor));
  const headers = request.headers.flatMap(([name, value]): HeaderList => {
    if (!dropped.includes(name)) return [[name, value]];
    return name === 'content-type' ? [[name, 'application/json']] : [];
  });
  const path = dropped.includes('query') ? pathWithoutRider(exchange) : request.path;
  return { ...exchange, request: { ...request, path, headers } };
}

/** Whether a call differs from others in the framing of its body, which is in chunks. */
function isChunked({ exchange }: Sighting): boolean {
  const factors = Object.keys(exchange.row ?? {});
  const isOfBody = factors.every((factor) => factor === 'framing' || factor === 'body');
  return isOfBody && sentHeader(exchange, 'transfer-encoding') === 'chunked';
}
function mediaType(sighting: Sighting): Words {
  const { exchange } = sighting;
  const type = sentHeader(exchange, 'content-type');
  // A status about media types is about all of this one, its parameters included.
  const plain = statusIn(sighting) === 415 ? /^application\/json$/i : /json/i;
  if (exchange.request.body === undefined || plain.test(type ?? '')) return undefined;
  return [type === undefined ? 'A body without a media type' : `A body under ${type}`];
}

function validCall({ exchange, requirement, company }: Sighting): Words {
  const { label, request } = exchange;
  if (isPlain(exchange)) return ['A valid call'];
  if (exchange.row?.['query'] !== undefined && ofValidCalls.test(requirement))
    return [`A call with the query ${queryOf(exchange)}`];
  if (!ofValidCalls.test(requirement) || request.credential.kind === 'invalid') return undefined;
  // A call with another value of the listing may be answered.
  const [value = ''] = generatedValues(request).map((named) => named.join('='));
  return [company === undefined && label.startsWith('valid call') ? `A ${label}` : 'A valid call', value];
}

/** A call of a sequence in which the same client sent the same before, and got an answer; or a refusal that had an effect. */
function repeatedCall(sighting: Sighting): Words {
  const { exchange, steps = [] } = sighting;
  const isOfRefusal = isOfCredentials(sighting.requirement) && [404, 409].includes(statusIn(sighting));
  // The repetition does not cause intermittent failures.
  if (!(isFailure(sighting) || isOfRefusal) || !isSteady(sighting)) return undefined;
  const before = steps
    .filter((one) => one.startedAt < exchange.startedAt && isSameRequest(one, exchange))
    .findLast((one) => statusOf(one) !== undefined);
  const status = before?.response?.status ?? 500;
  const isTold = isOfRefusal ? [401, 403].includes(status) : status < 500;
  return isTold && [`A call that was answered ${status} before`, exchange.label];
}

/** Whether a call changes something and another one is identical except for headers that differ in every call. */
function isSameRequest(exchange: Exchange, before: Exchange): boolean {
  const [one, other] = [exchange.request, before.request];
  return (
    String(variedHeaders(exchange)) === String(variedHeaders(before)) &&
    String(exchange.row?.['wire']) === String(before.row?.['wire']) &&
    one.method === other.method &&
    one.method !== 'GET' &&
    one.path === other.path &&
    one.body?.text === other.body?.text &&
    one.credential.fingerprint === other.credential.fingerprint
  );
}

function variedHeaders({ row = {}, neutral = [], request }: Exchange): readonly string[] {
  const varied = [...Object.keys(row), ...neutral];
  return request.headers.flatMap(([name, value]) => (varied.includes(name) ? [name, value] : []));
}

/** The body itself if it is short or was reduced, its size or depth if that matters, otherwise its label. */
function bodyValue({ request, response, role, label }: Exchange): string {
  const { text = '', encoding, bytes } = request.body ?? {};
  if (response?.status === 413) return `${bytes} bytes`;
  if (encoding !== 'utf-8' || (text.length > longest && role !== 'reduction')) return label;
  const levels = levelsOf(text);
  return levels > deep ? `JSON of ${levels} levels` : text;
}

/** Number of levels above which a body is described by its depth instead of its beginning. */
const deep = 50;

function levelsOf(text: string): number {
  let [level, most] = [0, 0];
  for (const character of text.replace(/"(?:[^"\\]|\\.)*"/g, '')) {
    if ('[{'.includes(character)) level += 1;
    if (']}'.includes(character)) level -= 1;
    most = Math.max(most, level);
  }
  return most;
}

/** Requirements on keys, bodies and sequences of calls, whose path values were issued or stand for any. */
const ofCallers = /^(?:AUTH|SCOPE|REQUEST|SESSION|LOGIN)-/;

/** Name and value of the generated path parameter; if there are several, the one that the message or label mentions. */
function generatedValue(sighting: Sighting): readonly [name: string, value: string] | undefined {
  const { exchange, requirement, message } = sighting;
  if (ofCallers.test(requirement)) return undefined;
  if (exchange.request.body !== undefined && !requirement.startsWith('RESOURCE')) return undefined;
  const made = generatedValues(exchange.request);
  const words = `${message} ${exchange.label}`.split(/\W+/);
  return made.find(([name]) => words.includes(name)) ?? made[0];
}

/** Classes of a path value that are named. */
const mostCauses = 3;
function prototypeName(sighting: Sighting): Words {
  const [name, value = ''] = generatedValue(sighting) ?? [];
  const isOfObjects = value === '__proto__' || Object.hasOwn(Object.prototype, value);
  return isOfObjects && [`A ${name} that is a property of every object`, `${name}=${value}`];
}

function pathValue(sighting: Sighting): Words {
  const { requirement, kind = '', exchange } = sighting;
  const [name, value = ''] = generatedValue(sighting) ?? [];
  if (name === undefined) return undefined;
  if (requirement === 'RESOURCE-1') return [`An unknown ${name}`, value];
  if (requirement !== 'RESOURCE-2')
    return exchange.row?.[listedRow] === undefined
      ? [`An unknown ${name}`]
      : [`A ${name} that a listing shows`, value];
  const causes = kind.slice(name.length + 1).split(' and ');
  const cause =
    causes.length > mostCauses
      ? firstFew(causes, mostCauses).join(', ')
      : causes.join(', ').replace(/, (?=[^,]*$)/, ' and ');
  return [`A ${name} with ${cause.startsWith('the value') ? 'an unusual value' : cause}`, `${name}=${value}`];
}

function queryOf({ request: { path } }: Exchange): string {
  return path.includes('?') ? path.slice(path.indexOf('?') + 1) : '';
}

function hasRepeatedName({ exchange }: Sighting): boolean {
  const names = [...new URLSearchParams(queryOf(exchange)).keys()].map((name) => name.replace(/\[\]$/, ''));
  return new Set(names).size < names.length;
}

function hasNoBody({ exchange }: Sighting): boolean {
  const { method, body } = exchange.request;
  return method === 'POST' && (body === undefined || body.json === 'empty');
}

/** Classes of ordinary calls, the plainest first; all other calls are contrived. */
const plainClasses = ['valid call', 'body', 'malformed body', 'missing body', 'missing key', 'invalid key'];

/** How unusual a call is; lower for a plainer one. The plainest sighting shows a cause best. */
export function exoticness(sighting: Sighting): number {
  const { requirement, exchange } = sighting;
  const at = plainClasses.indexOf(sentOf(sighting).class);
  // Calls that set something up, or come in a sequence, may hold changes that only their checks know.
  const isKnown = ofValidCalls.test(requirement) || requirement.startsWith('SUCCESS');
  const isChanged = at === 0 && (!isKnown || (requirement === 'LOGIN-1' && !isPlain(exchange)));
  return (
    (at < 0 || isChanged ? plainClasses.length : at) +
    (sighting.company === undefined ? 0 : 2 * plainClasses.length)
  );
}
