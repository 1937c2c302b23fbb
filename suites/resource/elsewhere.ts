import { statusOf } from '../../harness/evidence/answer.ts';
import { isJsonMembers } from '../../harness/fuzzing/json-places.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Json } from '../../harness/model/target.ts';
import { type CallChanges, jsonBody } from '../../harness/requests/call-spec.ts';
import type { Operation } from '../../spec/operation.ts';
import { showsAnother } from './shows-known.ts';

/** A place outside of the path in which a call may name a resource, and in which the contract gives no name a meaning. */
export interface Place {
  /** Its value in the row of a call. */
  readonly id: string;
  /** What reports call it. */
  readonly says: string;
}

const query: Place = { id: 'query', says: 'in the query' };
const cookie: Place = { id: 'cookie', says: 'in a cookie' };
const header: Place = { id: 'header', says: 'in a header' };
const body: Place = { id: 'body', says: 'in the body' };
const segment: Place = { id: 'segment', says: 'behind a semicolon of the segment' };

/** All places: in which a known value must not stand for an unknown one of the path. */
export const everywhere: readonly Place[] = [query, cookie, header, segment, body];

/** Places in which another value must not replace the known one of the path; a segment with a semicolon may be another. */
export const besideThePath: readonly Place[] = [query, cookie, header];

/** A parameter, and a value of it in the path and elsewhere. */
interface Named {
  readonly name: string;
  /** Names of parameters for the same kind of resource, its own included. */
  readonly synonyms: readonly string[];
  readonly inPath: string;
  readonly elsewhere: string;
}

/** The names of parameters for the same kind of resource as one, its own first. */
export function synonymsOf(
  name: string,
  { parameterKinds = {} }: Operation,
  operations: readonly Operation[],
): readonly string[] {
  const kind = parameterKinds[name];
  const all = operations.flatMap((one) => Object.entries(one.parameterKinds ?? {}));
  return [...new Set([name, ...all.flatMap(([other, its]) => (its === kind ? other : []))])];
}

/** A call that names one value of a parameter in its path, and another one in some places beside it; `valid` is a body. */
export function namedElsewhere(
  { name, synonyms, inPath, elsewhere }: Named,
  places: readonly Place[],
  valid?: Json,
): CallChanges {
  const value = encodeURIComponent(elsewhere);
  const headers: Record<string, string> = {
    ...(places.includes(cookie) && { cookie: `${name}=${value}` }),
    ...(places.includes(header) && Object.fromEntries(headersFor(synonyms).map((one) => [one, value]))),
  };
  const ending = places.includes(segment) ? `;${name}=${value}` : '';
  return {
    row: { [name]: 'elsewhere', places: places.map(({ id }) => id) },
    rawParameters: { [name]: encodeURIComponent(inPath) + ending },
    headers,
    ...(places.includes(body) && isJsonMembers(valid) && { body: jsonBody({ ...valid, [name]: elsewhere }) }),
    ...(places.includes(query) && { query: `${name}=${value}` }),
  };
}

/** Headers by the names of parameters, such as `store`, `x-store` and `x-session-id`. */
function headersFor(names: readonly string[]): readonly string[] {
  const inWords = names.map((name) => name.replaceAll(/[A-Z]/g, '-$&'));
  return [...new Set([...names, ...inWords].map((name) => name.toLowerCase()))].flatMap((name) => [
    name,
    `x-${name}`,
  ]);
}

/** The places of a call in words. */
export function placesOf(row: Readonly<Record<string, string | readonly string[]>> = {}): string {
  const ids = [row['places'] ?? []].flat();
  return everywhere.flatMap(({ id, says }) => (ids.includes(id) ? says : [])).join(' and ');
}

/** Whether another value beside the known one of the path took its place. */
export function isReplaced(
  name: string,
  {
    operation,
    known,
    one,
  }: { readonly operation: Operation; readonly known: Exchange; readonly one: Exchange },
): boolean {
  // A session may have ended meanwhile.
  return (statusOf(one) === 404 && operation.takesIssued === undefined) || showsAnother(name, known, one);
}
