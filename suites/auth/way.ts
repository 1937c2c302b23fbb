import { isJsonMembers } from '../../harness/fuzzing/json-places.ts';
import type { Exchange, WireForm } from '../../harness/model/exchange.ts';
import type { Json } from '../../harness/model/target.ts';
import { type CallChanges, jsonBody, type RawBody } from '../../harness/requests/call-spec.ts';

/** A change of a call. */
export type Change = (call: CallChanges) => CallChanges;

/** Something that some services wrongly accept as a permission: a key outside its header, or the mark of a trusted caller. */
export interface Way {
  /** Its value in the row of a call. */
  readonly id: string;
  /** What reports say, such as `a good key in the header x-api-key`. */
  readonly says: string;
  /** Adds it to a call that must be refused. */
  readonly change: Change;
  /** Names another path or method, so a router may find something else or nothing. */
  readonly leadsElsewhere?: true;
}

/** Ways that one request joins; it may be refused for one of them, which says nothing about the others. */
export type Ways = readonly Way[];

/** Ways as reports name them. */
export function labelOf(ways: ReadonlyArray<Pick<Way, 'says'>>): string {
  return ways.map(({ says }) => says).join(' and ');
}

/** The ids of the ways that a call carried. */
export function waysIn({ row }: Exchange): readonly string[] {
  return [row?.['way'] ?? []].flat();
}

/** All ways in one request, added to a call that must be refused. */
export function together(ways: Ways, call: CallChanges): CallChanges {
  const changed = ways.reduce((before, { change }) => change(before), call);
  const isElsewhere = ways.some(({ leadsElsewhere }) => leadsElsewhere);
  const row = {
    way: ways.map(({ id }) => id),
    ...(isElsewhere && { route: 'other' }),
    ...(changed.wire && { wire: changed.wire }),
  };
  return { ...changed, row };
}

/** A header. */
export function header(name: string, value: string, says: string = `${name}: ${value}`): Way {
  return { id: `header ${name}`, says, change: withHeader(name, value) };
}

/** Adds a header to a call; a cookie is added to those that the call has. */
export function withHeader(name: string, value: string): Change {
  return (call) => {
    const before = name === 'cookie' ? call.headers?.[name] : undefined;
    const whole = before === undefined ? value : `${before}; ${value}`;
    return { ...call, headers: { ...call.headers, [name]: whole } };
  };
}

/** A query parameter as it is sent. */
export function query(sent: string, name: string = sent, says: string = `${sent} in the query`): Way {
  const change: Change = (call) => ({
    ...call,
    query: call.query === undefined ? sent : `${call.query}&${sent}`,
  });
  return { id: `query ${name}`, says, change };
}

export function onTheWire(form: WireForm, says: string, rest: Partial<Way> = {}): Way {
  return { id: form, says, change: (call) => ({ ...call, wire: [...(call.wire ?? []), form] }), ...rest };
}

/** Another body, if the call has one. */
export function body(id: string, says: string, write: (body: RawBody) => RawBody): Way {
  const change: Change = (call) =>
    call.body === undefined || call.body === 'none' ? call : { ...call, body: write(call.body) };
  return { id, says, change };
}

/** Further members of a JSON body. */
export function members(id: string, says: string, added: Readonly<Record<string, Json>>): Way {
  return body(id, says, (sent) => {
    const value = JSON.parse(sent.bytes.toString()) as Json;
    return isJsonMembers(value) ? jsonBody({ ...value, ...added }) : sent;
  });
}

/** Known path values in another form. */
export function pathValues(id: string, says: string, write: (value: string) => string): Way {
  const change: Change = (call) => {
    const raw = Object.entries(call.parameters ?? {}).map(([name, value]) => [name, write(value)] as const);
    return raw.length === 0 ? call : { ...call, rawParameters: Object.fromEntries(raw) };
  };
  return { id, says, change };
}

/** The words of the path in another form, for which a router may find no route. */
export function route(id: string, says: string, write: (template: string) => string): Way {
  return { id, says, change: (call) => ({ ...call, route: write(call.route ?? '') }), leadsElsewhere: true };
}
