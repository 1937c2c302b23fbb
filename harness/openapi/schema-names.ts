import { isJsonMediaType } from '../evidence/answer.ts';
import type { Members } from '../model/supplied-document.ts';
import { membersOf, type Place, reach, trail } from './follow-references.ts';
import { isMembers } from './supplied-document.ts';

/** What the JSON bodies below a `content` are called; `undeclared` where it declares no JSON at all. */
export type DeclaredName =
  | 'as expected'
  | 'undeclared'
  | 'without a schema'
  | 'an inline schema'
  | { readonly name: string };

/** Holds what a body or an answer declares against the name that the contract gives its schema. */
export function declaredName(content: Members, holder: Place | undefined, expected: string): DeclaredName {
  const json = membersOf(content, reach(content, holder, 'content')).filter(([mediaType]) =>
    mayBeJson(mediaType),
  );
  if (json.length === 0) return 'undeclared';
  for (const [, entry] of json) {
    const schema = reach(content, entry, 'schema');
    if (schema === undefined) return 'without a schema';
    const names = namesOf(content, schema, new Set());
    if (!names.has(expected)) {
      const [name] = names;
      return name === undefined ? 'an inline schema' : { name };
    }
  }
  return 'as expected';
}

/** Such a difference in a few words. */
export function describeDeclared(declared: DeclaredName): string {
  if (typeof declared === 'object') return declared.name;
  return declared === 'undeclared'
    ? 'no JSON body'
    : declared === 'without a schema'
      ? 'no schema'
      : declared;
}

function mayBeJson(mediaType: string): boolean {
  return isJsonMediaType(mediaType) || /^\s*(?:\*|application)\/\*/.test(mediaType);
}

/** All names under which a schema goes: of what it refers to, of what it extends, and its title. */
function namesOf(content: Members, schema: Place, visited: Set<unknown>): ReadonlySet<string> {
  const names = new Set<string>();
  for (const place of trail(content, schema)) {
    if (visited.has(place.value) || !isMembers(place.value)) continue;
    visited.add(place.value);
    const { $ref: reference, title, allOf } = place.value;
    if (typeof reference === 'string') names.add(nameIn(reference));
    if (typeof title === 'string') names.add(title);
    if (!Array.isArray(allOf)) continue;
    for (const [, part] of membersOf(content, reach(content, place, 'allOf'))) {
      for (const name of namesOf(content, part, visited)) names.add(name);
    }
  }
  return names;
}

/** The last step of a reference, of a file its name without the extension. */
function nameIn(reference: string): string {
  const last = reference.split(/[/#]/).at(-1) ?? '';
  try {
    return (
      decodeURIComponent(last)
        .split('/')
        .at(-1)
        ?.replace(/\.(?:ya?ml|json)$/i, '') ?? last
    );
  } catch {
    return last;
  }
}
