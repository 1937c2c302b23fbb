import type { BodyShape, JsonType, ShapeMember } from '../report/report.ts';
import { dataKeys } from './data-keys.ts';

/** Places of one body that are told apart at the most. */
export const mostPlaces = 500;
/** Levels below which nothing is told apart: bodies may nest without end. */
export const deepestPlace = 16;

/** The step to the items of an array; a member of that very name is written `~2[]`. */
export const itemsStep = '[]';
/** The step to the members of a map keyed by data; a member of that very name is written `~2*`. */
export const mapStep = '*';

interface Place {
  readonly types: Map<JsonType, number>;
  /** Parents that had it. */
  seen: number;
}

/** What the bodies of one kind have in common: names and types of their members, and none of their values. */
export class BodyShapeBuilder {
  readonly #places = new Map<string, Place>();
  #cut = false;

  /** Takes a parsed body. */
  add(body: unknown): void {
    const root = this.#place('');
    if (root !== undefined) this.#visit('', root, body, 0);
  }

  shape(): Pick<BodyShape, 'cut' | 'members'> {
    return {
      cut: this.#cut,
      members: [...this.#places]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([path, place]) => this.#member(path, place)),
    };
  }

  #member(path: string, { types, seen }: Place): ShapeMember {
    const of = path === '' ? seen : (this.#places.get(parentOf(path))?.types.get(containerOf(path)) ?? 0);
    return { path, types: Object.fromEntries([...types].sort(([a], [b]) => (a < b ? -1 : 1))), seen, of };
  }

  /** Counts that one more parent has it; undefined where there is no room for another place. */
  #place(path: string): Place | undefined {
    const known = this.#places.get(path);
    if (known !== undefined) {
      known.seen += 1;
      return known;
    }
    if (this.#places.size >= mostPlaces) {
      this.#cut = true;
      return undefined;
    }
    const place: Place = { types: new Map(), seen: 1 };
    this.#places.set(path, place);
    return place;
  }

  #visit(path: string, place: Place, value: unknown, depth: number): void {
    const type = typeOf(value);
    place.types.set(type, (place.types.get(type) ?? 0) + 1);
    if (type !== 'array' && type !== 'object') return;
    for (const [step, values] of childrenOf(value as object)) {
      if (depth >= deepestPlace) {
        this.#cut = true;
        return;
      }
      const below = `${path}/${step}`;
      const child = this.#place(below);
      if (child === undefined) continue;
      for (const one of values) this.#visit(below, child, one, depth + 1);
    }
  }
}

/** The path of what a place is a part of. */
export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** The last step of a path, as it is written there. */
export function stepOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** What its parent must be for the place to be possible at all. */
export function containerOf(path: string): 'array' | 'object' {
  return stepOf(path) === itemsStep ? 'array' : 'object';
}

function childrenOf(value: object): ReadonlyMap<string, readonly unknown[]> {
  if (Array.isArray(value)) return value.length === 0 ? new Map() : new Map([[itemsStep, value]]);
  const isData = dataKeys(value as Readonly<Record<string, unknown>>);
  const children = new Map<string, unknown[]>();
  for (const [name, member] of Object.entries(value)) {
    const step = isData(name) ? mapStep : stepText(name);
    const same = children.get(step);
    if (same === undefined) children.set(step, [member]);
    else same.push(member);
  }
  return children;
}

function stepText(name: string): string {
  const escaped = name.replaceAll('~', '~0').replaceAll('/', '~1');
  return escaped === itemsStep || escaped === mapStep ? `~2${escaped}` : escaped;
}

function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : (typeof value as JsonType);
}
