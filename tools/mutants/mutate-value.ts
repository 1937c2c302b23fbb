import { hostileNames, hostileScalars, hostileTexts } from './hostile-values.ts';
import { below, pick, type Random } from './random-choice.ts';

/** A place in a value: the container and the key in it. */
interface Place {
  readonly container: Record<string, unknown>;
  readonly key: string;
}

/** Items by which a list is multiplied, and levels of nesting. */
const multiples = 300;
const levels = 800;

/** A copy of a JSON value with one to four changes to its structure, its names or its values. */
export function mutateValue(value: unknown, random: Random): unknown {
  const root: Record<string, unknown> = { value: structuredClone(value) };
  // A value whose types stay gets past the schema, to what reads it.
  if (below(random, 2) === 0) return keepingTypes(root, random);
  for (let count = 1 + below(random, 4); count > 0; count -= 1) {
    const places = placesIn(root);
    if (places.length === 0) break;
    change(pick(random, places), places, random);
  }
  return root['value'] ?? null;
}

function change(place: Place, places: readonly Place[], random: Random): void {
  const { container, key } = place;
  const old = container[key];
  const other = pick(random, places);
  switch (below(random, 14)) {
    case 0:
    case 1:
      put(container, key, pick(random, hostileScalars));
      return;
    case 2:
      remove(container, key);
      return;
    case 3: {
      // A value from elsewhere is of a form that the reader knows.
      put(container, key, structuredClone(other.container[other.key]));
      return;
    }
    case 4:
      put(container, key, structuredClone(other.container[other.key]));
      put(other.container, other.key, structuredClone(old));
      return;
    case 5:
      if (Array.isArray(container)) container.splice(Number(key), 0, structuredClone(old));
      else put(container, pick(random, hostileNames), structuredClone(old));
      return;
    case 6:
      if (Array.isArray(container)) container.reverse();
      else {
        remove(container, key);
        put(container, pick(random, hostileNames), old);
      }
      return;
    case 7:
      if (Array.isArray(old) && JSON.stringify(old).length < 2_000)
        // Copies, because a later change of an item that is shared would be written as many times.
        put(container, key, Array.from({ length: multiples }, () => structuredClone(old)).flat());
      else put(container, key, pick(random, hostileScalars));
      return;
    case 8:
      put(container, key, below(random, 8) === 0 ? nested(old) : [old]);
      return;
    case 9:
      if (isMembers(old)) put(old, pick(random, hostileNames), pick(random, hostileScalars));
      else put(container, key, { [pick(random, hostileNames)]: old });
      return;
    case 10:
      if (isMembers(old)) put(old, pick(random, Object.keys(other.container)), pick(random, hostileScalars));
      // Objects may hold a toString that is no function.
      else put(container, key, Array.isArray(old) ? JSON.stringify(old) : String(old));
      return;
    default:
      put(container, key, changedScalar(old, random));
  }
}

function keepingTypes(root: Record<string, unknown>, random: Random): unknown {
  for (let count = 1 + below(random, 3); count > 0; count -= 1) {
    const places = placesIn(root);
    const { container, key } = pick(random, places);
    const old = container[key];
    const same = places.filter((place) => kindOf(place.container[place.key]) === kindOf(old));
    const other = pick(random, same);
    if (Array.isArray(old) && below(random, 2) === 0) {
      if (below(random, 2) === 0) old.splice(below(random, old.length + 1), 1);
      else if (old.length > 0) old.push(structuredClone(pick(random, old)));
    } else if (typeof old === 'string' && below(random, 2) === 0) {
      const at = below(random, old.length + 1);
      put(container, key, old.slice(0, at) + pick(random, hostileTexts) + old.slice(at));
    } else if (typeof old === 'number' && below(random, 2) === 0) {
      put(container, key, pick(random, [old + 1, 0, old * 1e6, 2 ** 53, old / 3, -old]));
    } else if (typeof old === 'boolean') put(container, key, !old);
    else put(container, key, structuredClone(other.container[other.key]));
  }
  return root['value'];
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

function changedScalar(old: unknown, random: Random): unknown {
  if (typeof old === 'number')
    return pick(random, [old + 1, old - 1, -old, old * 1e6, old / 3, 0, String(old)]);
  if (typeof old === 'boolean') return !old;
  if (typeof old !== 'string') return pick(random, hostileScalars);
  const at = below(random, old.length + 1);
  const text = pick(random, hostileTexts);
  return pick(random, [
    old.slice(0, at) + text + old.slice(at),
    old.slice(0, at),
    old.slice(at),
    old.toUpperCase(),
    `${old} `,
    `${old}\n`,
    old + old,
    [...old].reverse().join(''),
    Number(old),
    text,
  ]);
}

function nested(value: unknown): unknown {
  let result = value;
  for (let level = 0; level < levels; level += 1) result = level % 2 === 0 ? [result] : { a: result };
  return result;
}

function placesIn(root: Record<string, unknown>): readonly Place[] {
  const places: Place[] = [];
  const open: Array<Record<string, unknown>> = [root];
  for (let container = open.pop(); container !== undefined; container = open.pop()) {
    for (const key of Object.keys(container)) {
      places.push({ container, key });
      const value = container[key];
      if (isMembers(value) || Array.isArray(value)) open.push(value as Record<string, unknown>);
    }
  }
  return places;
}

function isMembers(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function put(container: Record<string, unknown>, key: string, value: unknown): void {
  // An assignment to __proto__ would change this object instead of its JSON text.
  Object.defineProperty(container, key, { value, enumerable: true, configurable: true, writable: true });
}

function remove(container: Record<string, unknown>, key: string): void {
  if (Array.isArray(container)) container.splice(Number(key), 1);
  else delete container[key];
}
