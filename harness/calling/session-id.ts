const likelyNames: readonly RegExp[] = [
  /^(?:hosted_?)?(?:checkout_?)?session_?id$/i,
  /^checkout_?id$/i,
  /^id$/i,
  /^(?:session|checkout)_?(?:token|ref|reference|key|uuid|code)$/i,
  /^uuid$/i,
];

/**
 * The session id in the answer to a create, by the names it is likely to have or by a link to the session.
 * Undefined where nothing is likely: a wrong guess would accuse a lawful service.
 */
export function likelySessionId(body: unknown): string | undefined {
  const members = scalarMembers(body);
  for (const likely of likelyNames) {
    const found = members.find(([name]) => likely.test(name));
    if (found !== undefined) return String(found[1]);
  }
  for (const [, value] of members) {
    const linked = /\/checkout\/sessions\/([^/?#]+)/.exec(String(value))?.[1];
    if (linked !== undefined) return decodeURIComponent(linked);
  }
  return undefined;
}

/** Strings and numbers of a JSON document with their names, the outermost first. */
function scalarMembers(body: unknown): ReadonlyArray<readonly [name: string, value: string | number]> {
  const found: Array<readonly [string, string | number]> = [];
  let level: unknown[] = [body];
  for (let depth = 0; depth < 5 && level.length > 0; depth += 1) {
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      for (const [name, member] of Object.entries(value)) {
        if (typeof member === 'string' || typeof member === 'number') found.push([name, member]);
        else next.push(member);
      }
    }
    level = next;
  }
  return found;
}
