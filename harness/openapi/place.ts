import { type Steps, stepsOfFragment } from '../json-pointers.ts';
import type { Members } from '../model/supplied-document.ts';

/** The member of the content that holds the files that a document refers to. */
export const attachedDocuments = 'x-documents';

/** Members of OpenAPI and of schemas that map names chosen by an author, not keywords. */
const maps = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions', 'schemas', 'responses'],
  ...['parameters', 'requestBodies', 'headers', 'securitySchemes', 'links', 'callbacks', 'pathItems'],
  ...['paths', 'webhooks', 'content', 'encoding', 'variables', attachedDocuments],
]);

/** Members that hold any value, without keywords. */
const values = new Set(['example', 'default', 'const', 'enum', 'value', 'mapping']);

type Reading = 'keywords' | 'names' | 'value';

/** How to read the member of this name in an object that is read `within`. */
function readingOf(member: string, value: unknown, within: Reading): Reading {
  if (within === 'names') return 'keywords';
  if (values.has(member)) return 'value';
  // A list of values in a schema, a map of Example Objects elsewhere.
  if (member === 'examples') return Array.isArray(value) ? 'value' : 'names';
  return maps.has(member) && !Array.isArray(value) ? 'names' : 'keywords';
}

export type Changeable = Record<string, unknown>;

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export class Place {
  readonly value: unknown;
  readonly #root: Place;
  readonly #holder: readonly [holder: Place, name: string] | undefined;

  private constructor(value: unknown, root?: Place, holder?: readonly [holder: Place, name: string]) {
    this.value = value;
    this.#root = root ?? this;
    this.#holder = holder;
  }

  static rootOf(content: unknown): Place {
    return new Place(content);
  }

  /** The steps to it from the root, which pass no reference. */
  get steps(): Steps {
    if (this.#holder === undefined) return [];
    const [holder, name] = this.#holder;
    return [...holder.steps, name];
  }

  /** The objects here whose members are keywords, each once, outer ones first; references followed if asked. */
  objects(follows = false): readonly Place[] {
    const found: Place[] = [];
    const visited = new Set<unknown>();
    const pending: Array<readonly [Place, Reading]> = [[this, 'keywords']];
    // A list, because recursion would exhaust the stack.
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const [place, reading] = next;
      const { value } = place;
      if (typeof value !== 'object' || value === null || visited.has(value)) continue;
      visited.add(value);
      const isList = Array.isArray(value);
      if (reading === 'keywords' && !isList) {
        found.push(place);
        if (follows && place.end !== undefined) pending.push([place.end, reading]);
      }
      for (const [name, member] of Object.entries(value)) {
        const inner = isList ? reading : readingOf(name, member, reading);
        if (typeof member === 'object' && inner !== 'value')
          pending.push([place.#member(name, member), inner]);
      }
    }
    return found;
  }

  /** The place itself, then the places that its references lead to; undefined comes last if one leads nowhere. */
  get trail(): ReadonlyArray<Place | undefined> {
    return this.#followed(new Set());
  }

  /** The place at the end of its references, or itself; undefined if one leads nowhere. */
  get end(): Place | undefined {
    return this.trail.at(-1);
  }

  /** The member at the end of these names, through references; undefined if there is none. */
  at(...names: Steps): Place | undefined {
    return this.#walk(names, new Set());
  }

  read(...names: Steps): unknown {
    return this.at(...names)?.value;
  }

  get members(): ReadonlyArray<readonly [string, Place]> {
    const { value } = this;
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).map(([name, member]) => [name, this.#member(name, member)]);
  }

  /** The members of the object at the end of these names, references followed. */
  entries(...names: Steps): ReadonlyArray<readonly [string, Place]> {
    return this.at(...names)?.end?.members ?? [];
  }

  /** The same without the names. */
  items(...names: Steps): readonly Place[] {
    return this.entries(...names).map(([, item]) => item);
  }

  /** What a reference in the document leads to in the end. */
  refer(reference: string): Place | undefined {
    return new Place({ $ref: reference }, this.#root).end;
  }

  #member(name: string, value: unknown): Place {
    return new Place(value, this.#root, [this, name]);
  }

  #followed(seen: ReadonlySet<string>): ReadonlyArray<Place | undefined> {
    const places: Array<Place | undefined> = [this];
    const visited = new Set(seen);
    for (let place: Place | undefined = this; isMembers(place?.value); places.push(place)) {
      const reference: unknown = place.value['$ref'];
      if (typeof reference !== 'string') break;
      const steps: Steps | undefined = reference.startsWith('#')
        ? stepsOfFragment(reference.slice(1))
        : undefined;
      place = undefined;
      if (steps !== undefined && !visited.has(reference))
        place = this.#root.#walk(steps, visited.add(reference));
    }
    return places;
  }

  #walk(names: Steps, seen: ReadonlySet<string>): Place | undefined {
    let place: Place | undefined = this;
    for (const name of names) {
      if (place === undefined) return undefined;
      const own: Place | undefined = place.#stepInto(name);
      const end: Place | undefined = own === undefined ? place.#followed(seen).at(-1) : undefined;
      place = own ?? (end === undefined ? undefined : end.#stepInto(name));
    }
    return place;
  }

  #stepInto(name: string): Place | undefined {
    const { value } = this;
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    return this.#member(name, (value as Members)[name]);
  }
}
