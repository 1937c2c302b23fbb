import { isJsonMembers } from '../fuzzing/json-places.ts';
import type { Row, WireForm } from '../model/exchange.ts';
import type { Json } from '../model/target.ts';
import { type CallChanges, jsonBody, type RawBody } from './call-spec.ts';
import type { Credential } from './key-ring.ts';

/** A change of a call. */
export type Change = (call: CallChanges) => CallChanges;

/** A value of a factor, such as a header, that a call has in place of that of the plain valid one. */
export interface Variation {
  /** Its factor and value in the row of a call. */
  readonly factor: string;
  readonly id: string;
  /** What reports say, such as `a good key in the header x-api-key`. */
  readonly says: string;
  /** Gives a call this value. */
  readonly change: Change;
  /** Names another path or method, so a router may find something else or nothing. */
  readonly leadsElsewhere?: true;
}

/** Variations as reports name them. */
export function labelOf(variations: ReadonlyArray<Pick<Variation, 'says'>>): string {
  return variations.map(({ says }) => says).join(' and ');
}

/** The values by factor. */
export function rowOf(variations: ReadonlyArray<Pick<Variation, 'factor' | 'id'>>): Row {
  const row: Record<string, readonly string[]> = {};
  for (const { factor, id } of variations) row[factor] = [...(row[factor] ?? []), id];
  return row;
}

/** A call with all variations, beside those that its row already holds. */
export function together(variations: readonly Variation[], call: CallChanges): CallChanges {
  const changed = variations.reduce((before, { change }) => change(before), call);
  const isElsewhere = variations.some(({ leadsElsewhere }) => leadsElsewhere);
  const row = {
    ...call.row,
    ...rowOf(variations),
    ...(isElsewhere && { route: 'other' }),
    ...(changed.wire && { wire: changed.wire }),
  };
  return { ...changed, row };
}

/** What separates two values of a header that is a list. */
export const listSigns: Readonly<Record<string, string>> = {
  accept: ', ',
  'accept-encoding': ', ',
  'accept-language': ', ',
  cookie: '; ',
  'user-agent': ' ',
  'x-forwarded-for': ', ',
  prefer: ', ',
  'cache-control': ', ',
};

/** Sets a header, or omits it; a value of a list follows those that the call has. */
export function withHeader(name: string, value: string | undefined): Change {
  const sign = listSigns[name];
  return (call) => {
    const before = sign === undefined ? undefined : call.headers?.[name];
    const whole = before === undefined || value === undefined ? (value ?? before) : before + sign + value;
    return { ...call, headers: { ...call.headers, [name]: whole } };
  };
}

/** Adds query parameters as they are sent; the words of all searches stand in the first one. */
export function withQuery(sent: string): Change {
  return (call) => ({ ...call, query: call.query === undefined ? sent : joinedQuery(call.query, sent) });
}

function joinedQuery(before: string, sent: string): string {
  const [, words, others] = search.exec(sent) ?? [];
  if (words === undefined) return `${before}&${sent}`;
  return search.test(before) ? before.replace(search, `q=$1+${words}${others}$2`) : `${sent}&${before}`;
}

const search = /^q=([^&]*)(.*)$/s;

/** Sends another key; where that is unknown, the call stays as it is. */
export function withKey(credential: Credential | undefined): Change {
  return (call) => (credential === undefined ? call : { ...call, credential });
}

/** Sends the same request in another form. */
export function onTheWire(form: WireForm): Change {
  return (call) => ({ ...call, wire: [...(call.wire ?? []), form] });
}

/** Writes another body, if the call has one. */
export function withBody(write: (body: RawBody) => RawBody): Change {
  return (call) =>
    call.body === undefined || call.body === 'none' ? call : { ...call, body: write(call.body) };
}

/** Adds members to the body, if it is an object. */
export function withMembers(added: Readonly<Record<string, Json>>): Change {
  return withBody((sent) => {
    const value = JSON.parse(sent.bytes.toString()) as Json;
    return isJsonMembers(value) ? jsonBody({ ...value, ...added }) : sent;
  });
}
