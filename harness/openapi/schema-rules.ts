import type { Members } from '../model/supplied-document.ts';
import { isMembers, type Place } from './place.ts';

/**
 * The rules of a normalised schema for one value: its keywords, and those of the schemas that it refers to and extends. Rules
 * of members and items are made on demand, because a schema may contain itself.
 */
export class SchemaRules {
  /** The schemas, and those that they refer to. */
  readonly #own: readonly Members[];
  /** These, and the schemas that they extend, each once. */
  readonly parts: readonly Members[];
  readonly #places: readonly Place[];
  readonly #alternatives: number;

  /** Joins the rules of all schemas, with up to `alternatives` of each `anyOf` and `oneOf`. */
  constructor(schemas: readonly Place[], alternatives = 0) {
    const places = new Map<Members, Place>();
    const pending = [...schemas];
    // The list grows while it is read, because recursion would exhaust the stack on a long chain of schemas.
    for (const schema of pending) {
      for (const place of schema.trail) {
        if (!isMembers(place?.value) || places.has(place.value)) continue;
        places.set(place.value, place);
        for (const part of place.items('allOf')) pending.push(part);
        for (const keyword of ['anyOf', 'oneOf']) {
          for (const part of place.items(keyword).slice(0, alternatives)) pending.push(part);
        }
      }
    }
    this.#own = schemas.flatMap(({ trail }) => trail.map((place) => place?.value).filter(isMembers));
    this.parts = [...places.keys()];
    this.#places = [...places.values()];
    this.#alternatives = alternatives;
  }

  all(keyword: string): readonly unknown[] {
    return this.parts.filter((part) => Object.hasOwn(part, keyword)).map((part) => part[keyword]);
  }

  numbers(keyword: string): readonly number[] {
    return this.all(keyword).filter((value) => typeof value === 'number');
  }

  has(keyword: string, wanted: unknown): boolean {
    return this.all(keyword).includes(wanted);
  }

  /** The first type other than null; a schema with properties is an object. */
  get type(): string | undefined {
    const named = this.all('type')
      .flat()
      .find((type) => type !== 'null');
    if (typeof named === 'string') return named;
    return this.all('properties').length > 0 ? 'object' : undefined;
  }

  get allowsNull(): boolean {
    return (
      this.has('nullable', true) ||
      this.all('type').some((type) => Array.isArray(type) && type.includes('null'))
    );
  }

  get required(): ReadonlySet<string> {
    return new Set(this.all('required').filter(Array.isArray).flat().map(String));
  }

  get properties(): ReadonlyMap<string, SchemaRules> {
    const found = new Map<string, Place[]>();
    for (const [name, property] of this.#at('properties').flatMap((properties) => properties.entries())) {
      found.set(name, [...(found.get(name) ?? []), property]);
    }
    return new Map([...found].map(([name, places]) => [name, new SchemaRules(places, this.#alternatives)]));
  }

  get items(): SchemaRules | undefined {
    const found = this.#at('items');
    return found.length === 0 ? undefined : new SchemaRules(found, this.#alternatives);
  }

  /** Examples and allowed values of the schema itself, for schemas that it extends may show a part only. */
  get given(): readonly unknown[] {
    return givenIn(this.#own);
  }

  get givenInParts(): readonly unknown[] {
    return givenIn(this.parts);
  }

  #at(keyword: string): readonly Place[] {
    return this.#places.flatMap((place) =>
      Object.hasOwn(place.value as Members, keyword) ? (place.at(keyword) ?? []) : [],
    );
  }
}

const lists = new Set(['examples', 'enum']);

function givenIn(parts: readonly Members[]): readonly unknown[] {
  return ['example', 'examples', 'default', 'const', 'enum'].flatMap((keyword) =>
    parts
      .flatMap((part) => {
        const value = Object.hasOwn(part, keyword) ? part[keyword] : undefined;
        if (!lists.has(keyword)) return [value];
        return Array.isArray(value) ? value : [];
      })
      .filter((value) => value !== undefined),
  );
}
