import { escapeStep } from '../json-pointers.ts';
import type { BodyShape, JsonType, ShapeMember } from '../model/report.ts';

/** Maximum places of one body that are distinguished. */
export const mostPlaces = 500;
/** Maximum levels that are distinguished, because bodies may nest without end. */
export const deepestPlace = 16;

/** The step to the items of an array; a member of that very name is written `~2[]`. */
export const itemsStep = '[]';
/** The step to the members of a map keyed by data; a member of that very name is written `~2*`. */
export const mapStep = '*';

interface Place {
  readonly path: string;
  readonly parent: Place | undefined;
  readonly types: Partial<Record<JsonType, number>>;
  /** Parents that had it. */
  seen: number;
  readonly below: Map<string, Place>;
}

/** The common shape of the bodies of one kind: names and types of their members, without values. */
export class BodyShapeBuilder {
  readonly #places: Place[] = [];
  readonly #root: Place = this.#open('', undefined);
  #cut = false;

  add(body: unknown): void {
    this.#root.seen += 1;
    this.#visit(this.#root, body, 0);
  }

  shape(): Pick<BodyShape, 'cut' | 'members'> {
    return {
      cut: this.#cut,
      members: this.#places
        .filter(({ seen }) => seen > 0)
        .sort((a, b) => (a.path < b.path ? -1 : 1))
        .map(memberOf),
    };
  }

  #open(path: string, parent: Place | undefined): Place {
    const place: Place = { path, parent, types: {}, seen: 0, below: new Map() };
    this.#places.push(place);
    return place;
  }

  /** The child place; undefined if there is no room for another. */
  #placeBelow(parent: Place, step: string): Place | undefined {
    const known = parent.below.get(step);
    if (known !== undefined) return known;
    if (this.#places.length >= mostPlaces) {
      this.#cut = true;
      return undefined;
    }
    const place = this.#open(`${parent.path}/${step}`, parent);
    parent.below.set(step, place);
    return place;
  }

  #visit(place: Place, value: unknown, depth: number): void {
    const type = typeOf(value);
    place.types[type] = (place.types[type] ?? 0) + 1;
    if (type !== 'array' && type !== 'object') return;
    if (depth >= deepestPlace) {
      this.#cut ||= Object.keys(value as object).length > 0;
      return;
    }
    if (Array.isArray(value)) this.#visitItems(place, value, depth);
    else this.#visitMembers(place, value as Readonly<Record<string, unknown>>, depth);
  }

  #visitItems(place: Place, items: readonly unknown[], depth: number): void {
    const below = items.length === 0 ? undefined : this.#placeBelow(place, itemsStep);
    if (below === undefined) return;
    below.seen += 1;
    for (const item of items) this.#visit(below, item, depth + 1);
  }

  #visitMembers(place: Place, members: Readonly<Record<string, unknown>>, depth: number): void {
    const isData = dataKeys(members);
    let hasData = false;
    for (const [name, member] of Object.entries(members)) {
      const data = isData(name);
      const below = this.#placeBelow(place, data ? mapStep : stepText(name));
      if (below === undefined) continue;
      // However many entries a map has, it is one parent.
      if (!data || !hasData) below.seen += 1;
      hasData ||= data;
      this.#visit(below, member, depth + 1);
    }
  }
}

function memberOf({ path, parent, types, seen }: Place): ShapeMember {
  const of = parent === undefined ? seen : (parent.types[containerOf(path)] ?? 0);
  return {
    path,
    types: Object.fromEntries(Object.entries(types).sort(([a], [b]) => (a < b ? -1 : 1))),
    seen,
    of,
  };
}

/** The path of the parent of a place. */
export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** The last step of a path, as written there. */
export function stepOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The type that the parent must have for the place to be possible. */
export function containerOf(path: string): 'array' | 'object' {
  return stepOf(path) === itemsStep ? 'array' : 'object';
}

function stepText(name: string): string {
  if (!/[~/[*]/.test(name)) return name;
  const escaped = escapeStep(name);
  return escaped === itemsStep || escaped === mapStep ? `~2${escaped}` : escaped;
}

function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : (typeof value as JsonType);
}

/** Names of members that a person could have given: more, or longer ones, are data. */
const mostNames = 100;
const longestName = 64;

const idForms: readonly RegExp[] = [
  /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i,
  /^-?\d+$/,
  /\d{4}-\d{2}-\d{2}/,
  /\d{5}/,
  /^(?=.*\d)[0-9a-f]{12,}$/i,
  /^[A-Za-z]{1,8}_(?=[A-Za-z0-9]*\d)[A-Za-z0-9]{8,}$/,
  /^(?=(?:[^\d]*\d){3})(?=[^A-Z]*[A-Z])(?=[^a-z]*[a-z])[A-Za-z0-9+/=_-]{16,}$/,
  /[\s/]|\S@\S/,
];

const slug = /^[a-z0-9]+(?:-[a-z0-9]+)+$/;

/** Which names of an object's members are data, such as ids or slugs that a map is keyed by, and not names that a schema would have. */
function dataKeys(value: Readonly<Record<string, unknown>>): (name: string) => boolean {
  const names = Object.keys(value);
  if (names.length > mostNames) return () => true;
  if (names.length > 0 && names.every((name) => slug.test(name) || isId(name)) && isUniform(value))
    return () => true;
  return isId;
}

function isId(name: string): boolean {
  return name.length > longestName || idForms.some((form) => form.test(name));
}

function isUniform(value: Readonly<Record<string, unknown>>): boolean {
  return (
    new Set(Object.values(value).map((item) => (Array.isArray(item) ? 'array' : typeof item))).size === 1
  );
}
