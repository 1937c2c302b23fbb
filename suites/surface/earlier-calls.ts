import { headerOf, isBlockedInFront, statusOf } from '../../harness/evidence/answer.ts';
import { sentValues, valuesIn } from '../../harness/evidence/sent-values.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { CallChanges } from '../../harness/requests/call-spec.ts';
import { clientHeaders } from '../../harness/requests/client-headers.ts';
import type { KeyRing } from '../../harness/requests/key-ring.ts';
import { unknownLike } from '../../harness/requests/mutate-preserving-shape.ts';
import { labelOf } from '../../harness/requests/variation.ts';
import { isSafe, type Operation, sharedResource } from '../../spec/operation.ts';
import { deviationOf } from '../client/client-answers.ts';
import { isPlainRead } from './crowd.ts';

/** What the calls before a valid one are made from. */
interface Known {
  /** A valid call that was answered with 200. */
  readonly valid: Exchange;
  readonly keys: KeyRing;
  readonly random: () => number;
  /** All operations of the contract. */
  readonly operations: readonly Operation[];
  /** The operation of the case. */
  readonly operation: Operation;
}

/** A name that no target has. */
const foreignHost = 'conformance-host.example';

/** A parameter that makes a URL no cache knows. */
export function freshQuery(random: () => number): string {
  return `_=${Math.floor(random() * 1e12)}`;
}

/** A call that may come before a valid one and must leave no trace in its answer. */
export interface EarlierCall {
  /** Its value in the row of a call. */
  readonly id: string;
  /** What reports call it. */
  readonly says: string;
  readonly at: (operation: Operation) => boolean;
  readonly changes: (known: Known) => CallChanges;
  /** Its headers go out in one call with those of the others that join. */
  readonly joins?: true;
}

/** Some earlier calls, those that join in one. */
export function joinedCalls(calls: readonly EarlierCall[]): ReadonlyArray<readonly EarlierCall[]> {
  const joining = calls.filter(({ joins }) => joins === true);
  return calls.flatMap((one) => (one.joins === true ? (one === joining[0] ? [joining] : []) : [[one]]));
}

/** What the calls change about the valid one, in one call. */
export function callOf(joined: readonly EarlierCall[], known: Known): CallChanges {
  const changes = joined.map((one) => one.changes(known));
  const headers = joined.length > 1 && { headers: Object.assign({}, ...changes.map((one) => one.headers)) };
  const whole: CallChanges = Object.assign({}, ...changes);
  const earlier = joined.map(({ id }) => id);
  const row = { earlier, ...(whole.wire && { wire: whole.wire }), ...whole.row };
  return { label: labelOf(joined), propagationDelayMs: 0, ...whole, ...headers, row };
}

/** What came before a call, as reports name it. */
export function earlierThan(exchange: Exchange): string {
  const ids = valuesIn(exchange, 'earlier');
  return labelOf(earlierCalls.filter(({ id }) => ids.includes(id)));
}

type At = EarlierCall['at'];

const isPublic: At = ({ auth }) => auth === 'none';
const takesBody: At = ({ requestSchema }) => requestSchema !== undefined;
const takesValue: At = ({ pathParameters }) => pathParameters.length > 0;
/** Whether a path value may be cut short, and be another one of the target. */
const readsResource: At = (operation) =>
  isSafe(operation) && takesValue(operation) && operation.takesIssued === undefined;
/** Whether a read names one resource, below which others may be read. */
const readsWhole: At = (operation) => readsResource(operation) && operation.pathParameters.length === 1;

/** A read of what is not there below the resource that the valid call names; a plain valid call where there is no such read. */
function missingBelow({ operation, operations, valid, random }: Known): CallChanges {
  const [kind] = Object.values(operation.parameterKinds ?? {});
  const [named = ''] = Object.values(sentValues(valid));
  const below = operations.find(
    (one) =>
      isSafe(one) &&
      one.auth === operation.auth &&
      one.pathParameters.length > 1 &&
      kind !== undefined &&
      Object.values(one.parameterKinds ?? {}).includes(kind),
  );
  if (below === undefined) return {};
  const values = below.pathParameters.map((name) => [
    name,
    below.parameterKinds?.[name] === kind ? named : unknownLike(named, random),
  ]);
  return { operation: below, parameters: Object.fromEntries(values) };
}

/** Other path values, each made from a known one. */
function otherValues(valid: Exchange, change: (value: string) => string): CallChanges {
  const values = Object.entries(sentValues(valid)).map(([name, value]) => [name, change(value)]);
  return { parameters: Object.fromEntries(values) };
}

function reload(valid: Exchange): CallChanges {
  const since = headerOf(valid, 'last-modified') ?? headerOf(valid, 'date');
  return { headers: { 'cache-control': 'no-cache', 'if-modified-since': since } };
}

/** Longer than the buffers in which some servers keep the start of a body. */
const longBody = {
  bytes: Buffer.from(`{"conformance":"${'a'.repeat(9_000)}`),
  contentType: 'application/json',
};

const shortBody = { bytes: Buffer.from('{"conformance":1}'), contentType: 'application/json' };

const page = { headers: { accept: 'text/html' } };

const compressed = { headers: { 'accept-encoding': 'gzip, deflate, br' } };

type Row = readonly [says: string, at: At, changes: CallChanges | EarlierCall['changes'], joins?: 'joins'];

/** Requests for a part, for headers alone or for news fill caches; refused ones may leave bytes, locks or bans behind. */
const rows: Readonly<Record<string, Row>> = {
  head: ['HEAD', isSafe, { method: 'HEAD' }],
  preflight: [
    'a preflight of a browser',
    isPublic,
    {
      method: 'OPTIONS',
      headers: { origin: clientHeaders.origin.foreign, 'access-control-request-method': 'GET' },
      row: { route: 'other' },
    },
  ],
  compressed: ['a request that accepts compression', isSafe, compressed, 'joins'],
  range: ['a request for the first ten bytes', isSafe, { headers: { range: 'bytes=0-9' } }, 'joins'],
  keyed: [
    'a call with a key',
    isPublic,
    ({ keys: { scoped, unscoped, none } }) => ({ credential: unscoped ?? scoped ?? none }),
    'joins',
  ],
  page: ['a request for a page', isSafe, page, 'joins'],
  reload: ['a reload', isSafe, ({ valid }) => reload(valid), 'joins'],
  'long and unfinished': [
    'a long body that ends too early',
    takesBody,
    { body: longBody, placeholders: true },
  ],
  // A query of its own keeps caches that know URLs from serving that host to others.
  'foreign host': [
    `a call by way of another host`,
    isPlainRead,
    ({ random }) => ({
      headers: { 'x-forwarded-host': foreignHost },
      query: freshQuery(random),
      row: { route: 'other' },
    }),
  ],
  // Whatever becomes of it: what it leaves on the connection comes before the next request.
  'read with a body': ['a GET with a body', isSafe, { body: shortBody, row: { route: 'other' } }],
  'unreadable query': ['a query that cannot be decoded', isSafe, { query: 'page=%zz' }],
  abandoned: [
    'a call whose client left before the answer',
    (operation) => isSafe(operation) || takesBody(operation),
    { connection: 'fresh', wire: ['body in two packets', 'client leaves'], neutral: [] },
  ],
  'unknown key': [
    'a call with an unknown key',
    (operation) => operation.auth === 'api-key' && takesBody(operation),
    ({ keys: { invalid, none } }) => ({ credential: invalid[0] ?? none, placeholders: true }),
  ],
  'similar id': [
    'a call with an id that begins alike',
    readsResource,
    ({ valid }) => otherValues(valid, (value) => value.slice(0, -1) || value),
  ],
  'missing below': ['a call that finds nothing below the same resource', readsWhole, missingBelow],
  'unknown id': [
    'a call that finds nothing',
    (operation) => takesValue(operation) && !readsResource(operation),
    ({ valid, random }) => otherValues(valid, (value) => unknownLike(value, random)),
  ],
};

/** All earlier calls, in the order of sending. */
const earlierCalls: readonly EarlierCall[] = Object.entries(rows).map(([id, [says, at, changes, joins]]) => ({
  ...{ id, says, at, ...(joins && { joins: true }) },
  changes: typeof changes === 'function' ? changes : () => changes,
}));

export const callsAt = (operation: Operation): readonly EarlierCall[] =>
  earlierCalls.filter(({ at }) => at(operation));

/** How many calls they are, where those that join are one. */
export const countAt = (operation: Operation): number => joinedCalls(callsAt(operation)).length;

/** What is wrong with the answer to a valid call beside the usual one; nothing where a conforming service may answer so. */
export function defectAfter(exchange: Exchange, operation: Operation, usual: Exchange): string | undefined {
  const status = statusOf(exchange);
  if (status === 409 && sharedResource(operation) === 'session') return undefined;
  if (isBlockedInFront(exchange)) return undefined;
  if (JSON.stringify(exchange.response ?? '').includes(foreignHost)) return `${status} with that host`;
  // What is wrong with the usual answer as well is for other checks.
  return deviationOf(usual, operation) === undefined ? deviationOf(exchange, operation) : undefined;
}
