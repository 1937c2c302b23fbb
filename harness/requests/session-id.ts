import { type NamedScalar, namedScalars } from '../evidence/json-leaves.ts';
import { jsonAt } from '../fuzzing/json-places.ts';
import { stepsOf } from '../json-pointers.ts';
import type { Json } from '../model/target.ts';
import { tried } from '../tried.ts';

const likelyNames: readonly RegExp[] = [
  /^(?:hosted_?)?(?:checkout_?)?session_?id$/i,
  /^checkout_?id$/i,
  /^id$/i,
  /^(?:session|checkout)_?(?:token|ref|reference|key|uuid|code)$/i,
  /^uuid$/i,
];

/** Cannot be part of a URL. */
const loneSurrogate = /\p{Surrogate}/u;

/** The value of a path parameter in the answer that issues it, by its name, or what is likely a session id. */
export function likelyIssuedValue(parameter: string, body: unknown): string | undefined {
  const wanted = plain(parameter);
  const named = scalarsIn(body).find(({ name }) => plain(name) === wanted);
  return named === undefined ? likelySessionId(body) : String(named.value);
}

function plain(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase();
}

/**
 * The session id in the response to a create, found by its likely names or by a link to the session.
 * Undefined where nothing is likely, because a wrong guess would accuse a conforming service.
 */
export function likelySessionId(body: unknown): string | undefined {
  const members = scalarsIn(body);
  for (const likely of likelyNames) {
    const candidates = members.filter(({ name }) => likely.test(name));
    const found = candidates.find(({ owner }) => /session|checkout/i.test(owner)) ?? candidates[0];
    if (found !== undefined) return String(found.value);
  }
  for (const { value } of members) {
    const linked = /\/checkout\/sessions\/([^/?#]+)/.exec(String(value))?.[1];
    const id = linked === undefined ? undefined : tried(decodeURIComponent, linked);
    // A template such as `{sessionId}` or `:id` is not an id.
    if (id !== undefined && !/^[{:<[]/.test(id)) return id;
  }
  return undefined;
}

/** The texts and numbers of a body that may be part of a URL. */
function scalarsIn(body: unknown): readonly NamedScalar[] {
  return namedScalars(body, 5).filter(
    ({ value, steps }) => steps.length > 0 && !loneSurrogate.test(String(value)),
  );
}

/** The value at an RFC 6901 pointer; undefined where there is none. */
export function valueAt(document: unknown, pointer: string): Json | undefined {
  return jsonAt(document as Json | undefined, stepsOf(pointer));
}
