import type { Members } from '../model/supplied-document.ts';
import { type Steps, stepsOfFragment } from './json-pointers.ts';

/** Whether a value is an object with members. */
export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value in a document, and the steps to it that pass no reference. */
export class Place {
  readonly steps: Steps;
  readonly value: unknown;
  readonly #root: Place;

  private constructor(steps: Steps, value: unknown, root?: Place) {
    this.steps = steps;
    this.value = value;
    this.#root = root ?? this;
  }

  /** The root of a document. */
  static rootOf(content: Members): Place {
    return new Place([], content);
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

  /** The value of the member at the end of these names. */
  read(...names: Steps): unknown {
    return this.at(...names)?.value;
  }

  /** Its own members. */
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
    return new Place([], { $ref: reference }, this.#root).end;
  }

  #member(name: string, value: unknown): Place {
    return new Place([...this.steps, name], value, this.#root);
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
