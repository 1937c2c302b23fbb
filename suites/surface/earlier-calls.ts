import { headerOf } from '../../harness/evidence/answer.ts';
import { sentValues } from '../../harness/evidence/sent-values.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { CallChanges } from '../../harness/requests/call-spec.ts';
import type { KeyRing } from '../../harness/requests/key-ring.ts';
import { unknownLike } from '../../harness/requests/mutate-preserving-shape.ts';
import { isSafe, type Operation } from '../../spec/operation.ts';

/** What the calls before a valid one are made from. */
interface Known {
  /** A valid call that was answered with 200. */
  readonly valid: Exchange;
  readonly keys: KeyRing;
  readonly random: () => number;
}

/** A call that may come before a valid one and must leave no trace in its answer. */
export interface EarlierCall {
  /** Its value in the row of a call. */
  readonly id: string;
  /** What reports call it. */
  readonly says: string;
  readonly at: (operation: Operation) => boolean;
  /** Its headers go out in one call with those of the others that join. */
  readonly joins?: true;
  readonly changes: (known: Known) => CallChanges;
}

/** Some earlier calls, those that join in one. */
export function joinedCalls(calls: readonly EarlierCall[]): ReadonlyArray<readonly EarlierCall[]> {
  const joining = calls.filter(({ joins }) => joins === true);
  return calls.flatMap((one) => (one.joins === true ? (one === joining[0] ? [joining] : []) : [[one]]));
}

/** What the calls change about the valid one. */
export function callsOf(calls: readonly EarlierCall[], known: Known): readonly CallChanges[] {
  return joinedCalls(calls).map((joined) => {
    const changes = joined.map((one) => one.changes(known));
    return {
      label: namesOf(joined),
      row: { earlier: joined.map(({ id }) => id) },
      propagationDelayMs: 0,
      ...changes[0],
      ...(joined.length > 1 && { headers: Object.assign({}, ...changes.map(({ headers }) => headers)) }),
    };
  });
}

/** The calls as reports name them. */
export function namesOf(calls: readonly EarlierCall[]): string {
  return calls.map(({ says }) => says).join(' and ');
}

const mayBeCutShort = ({ pathParameters, takesIssued }: Operation): boolean =>
  pathParameters.length > 0 && takesIssued === undefined;
const hasBody = ({ requestSchema }: Operation): boolean => requestSchema !== undefined;

/** Other path values, each made from a known one. */
function otherValues(valid: Exchange, change: (value: string) => string): CallChanges {
  const values = Object.entries(sentValues(valid)).map(([name, value]) => [name, change(value)]);
  return { parameters: Object.fromEntries(values) };
}

/** Longer than the buffers in which some servers keep the start of a body. */
const longText = 'a'.repeat(9_000);

/** Requests for a part, for headers alone or for news fill caches; refused ones may leave bytes, locks or bans behind. */
export const earlierCalls: readonly EarlierCall[] = [
  { id: 'head', says: 'HEAD', at: isSafe, changes: () => ({ method: 'HEAD' }) },
  {
    id: 'range',
    says: 'a request for the first ten bytes',
    at: isSafe,
    joins: true,
    changes: () => ({ headers: { range: 'bytes=0-9' } }),
  },
  {
    id: 'compressed',
    says: 'a request that accepts compression',
    at: isSafe,
    joins: true,
    changes: () => ({ headers: { 'accept-encoding': 'gzip, deflate, br' } }),
  },
  {
    id: 'reload',
    says: 'a reload',
    at: isSafe,
    changes: ({ valid }) => ({
      headers: {
        'cache-control': 'no-cache',
        'if-modified-since': headerOf(valid, 'last-modified') ?? headerOf(valid, 'date'),
      },
    }),
  },
  {
    id: 'long and unfinished',
    says: 'a long body that ends too early',
    at: hasBody,
    changes: () => ({
      body: { bytes: Buffer.from(`{"conformance":"${longText}`), contentType: 'application/json' },
      placeholders: true,
    }),
  },
  {
    id: 'unreadable query',
    says: 'a query that cannot be decoded',
    at: isSafe,
    changes: () => ({ query: 'page=%zz' }),
  },
  {
    id: 'abandoned',
    says: 'a call whose client left before the answer',
    at: (operation) => isSafe(operation) || hasBody(operation),
    changes: () => ({ connection: 'fresh', wire: ['body in two packets', 'client leaves'], neutral: [] }),
  },
  {
    id: 'unknown key',
    says: 'a call with an unknown key',
    at: ({ auth, requestSchema }) => auth === 'api-key' && requestSchema !== undefined,
    changes: ({ keys: { invalid, none } }) => ({ credential: invalid[0] ?? none, placeholders: true }),
  },
  {
    id: 'similar id',
    says: 'a call with an id that begins alike',
    at: (operation) => isSafe(operation) && mayBeCutShort(operation),
    changes: ({ valid }) => otherValues(valid, (value) => value.slice(0, -1) || value),
  },
  {
    id: 'unknown id',
    says: 'a call that finds nothing',
    at: (operation) =>
      operation.pathParameters.length > 0 && (!isSafe(operation) || operation.takesIssued !== undefined),
    changes: ({ valid, random }) => otherValues(valid, (value) => unknownLike(value, random)),
  },
];
