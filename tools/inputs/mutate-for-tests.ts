import { parse, stringify } from 'yaml';
import { type Envelope, enclose } from '../../harness/certification/envelope.ts';
import { readPrivateKey } from '../../harness/certification/signing-key.ts';
import { hostileNames, hostileScalars, hostileTexts, pieces } from './hostile-values-for-tests.ts';

/** A source of numbers in [0, 1). */
export type Random = () => number;

/** A place in a value: the container and the key in it. */
interface Place {
  readonly container: Record<string, unknown>;
  readonly key: string;
}

/** Levels of nesting. */
const levels = 800;
/** JSON that is written without indentation, which would take hundreds of megabytes. */
const manyLevels = /(?:[[{](?:"[^"]*":)?){500}/;

/** A whole number below the limit. */
export function below(random: Random, limit: number): number {
  return Math.floor(random() * limit);
}

/** One item of a list that is not empty. */
export function pick<T>(random: Random, items: readonly T[]): T {
  return items[below(random, items.length)] as T;
}

/** The bytes of a text with one to three changes to its characters or bytes. */
export function mutateText(text: string, random: Random): Buffer {
  let bytes: Buffer = Buffer.from(text);
  for (let count = 1 + below(random, 3); count > 0; count -= 1) {
    const at = below(random, bytes.length + 1);
    const end = Math.min(bytes.length, at + 1 + below(random, 200));
    const whole = bytes;
    const insert = (piece: Buffer | string): Buffer =>
      Buffer.concat([whole.subarray(0, at), Buffer.from(piece), whole.subarray(at)]);
    bytes = pick(random, [
      () => whole.subarray(0, at),
      () => whole.subarray(at),
      () => Buffer.concat([whole.subarray(0, at), whole.subarray(end)]),
      () => insert(whole.subarray(at, end)),
      () => insert(Buffer.from([below(random, 256)])),
      () => insert(pick(random, hostileTexts)),
      () => insert('['.repeat(20_000)),
      () => insert('a: &x [*x]\n'.repeat(3)),
      () => insert('\u0000'),
      () => Buffer.from(whole.toString('utf8'), 'utf16le'),
      () => insert(pick(random, pieces)),
      () => insert(pick(random, pieces)),
    ])();
  }
  return bytes;
}

/** A copy of a JSON value with one to four changes; half of them keep the types, so that they get past the schema. */
export function mutateValue(value: unknown, random: Random): unknown {
  const root: Record<string, unknown> = { value: structuredClone(value) };
  const change = below(random, 2) === 0 ? changeWithinType : changeFreely;
  for (let count = 1 + below(random, 4); count > 0; count -= 1) {
    const places = placesIn(root);
    if (places.length > 0) change(pick(random, places), places, random);
  }
  return root['value'] ?? null;
}

function changeFreely({ container, key }: Place, places: readonly Place[], random: Random): void {
  const old = container[key];
  const other = pick(random, places);
  const elsewhere = structuredClone(other.container[other.key]);
  const name = pick(random, hostileNames);
  const scalar = pick(random, hostileScalars);
  const set = (value: unknown): void => put(container, key, value);
  pick(random, [
    () => set(scalar),
    () => set(changedScalar(old, random)),
    () => set(changedScalar(old, random)),
    () => remove(container, key),
    () => set(elsewhere),
    () => {
      set(elsewhere);
      put(other.container, other.key, structuredClone(old));
    },
    () => {
      if (Array.isArray(container)) container.splice(Number(key), 0, structuredClone(old));
      else put(container, name, structuredClone(old));
    },
    () => {
      remove(container, key);
      put(container, Array.isArray(container) ? String(container.length) : name, old);
    },
    // Copies, because a shared item that changes later would be written as many times.
    () =>
      set(
        Array.isArray(old) && JSON.stringify(old).length < 2_000
          ? Array.from({ length: 300 }, () => structuredClone(old)).flat()
          : [old],
      ),
    () => set(below(random, 8) === 0 ? nested(old) : { [name]: old }),
    () => {
      if (isObject(old)) put(old, pick(random, [name, ...Object.keys(other.container)]), scalar);
      // Objects may hold a toString that is no function.
      else set(Array.isArray(old) ? JSON.stringify(old) : String(old));
    },
  ])();
}

function changeWithinType({ container, key }: Place, places: readonly Place[], random: Random): void {
  const old = container[key];
  const isEven = below(random, 2) === 0;
  if (Array.isArray(old) && old.length > 0 && isEven) {
    if (below(random, 2) === 0) old.splice(below(random, old.length), 1);
    else old.push(structuredClone(pick(random, old)));
  } else if (typeof old === 'boolean') put(container, key, !old);
  else if (typeof old === 'string' && isEven) {
    const at = below(random, old.length + 1);
    put(container, key, old.slice(0, at) + pick(random, hostileTexts) + old.slice(at));
  } else if (typeof old === 'number' && isEven) {
    put(container, key, pick(random, [old + 1, 0, old * 1e6, 2 ** 53, old / 3, -old]));
  } else {
    const other = pick(
      random,
      places.filter((place) => kindOf(place.container[place.key]) === kindOf(old)),
    );
    put(container, key, structuredClone(other.container[other.key]));
  }
}

function changedScalar(old: unknown, random: Random): unknown {
  if (typeof old === 'number') return pick(random, [old + 1, old - 1, -old, old * 1e6, old / 3, 0, `${old}`]);
  if (typeof old === 'boolean') return !old;
  if (typeof old !== 'string') return pick(random, hostileScalars);
  const at = below(random, old.length + 1);
  const text = pick(random, hostileTexts);
  const [start, end] = [old.slice(0, at), old.slice(at)];
  return pick(random, [start + text + end, start, end, old.toUpperCase(), `${old}\n`, old + old, text]);
}

/** Mutates the text of a JSON file, or the value in it. */
export function mutateJson(text: string, random: Random): string | Buffer {
  if (below(random, 5) === 0) return mutateText(text, random);
  const value = mutateValue(JSON.parse(text), random);
  const compact = JSON.stringify(value);
  return manyLevels.test(compact) ? compact : `${JSON.stringify(value, null, 2)}\n`;
}

/** Mutates the text of a YAML file, or the value in it. */
export function mutateYaml(text: string, random: Random): string | Buffer {
  if (below(random, 3) === 0) return mutateText(text, random);
  const value = mutateValue(parse(text), random);
  const json = JSON.stringify(value);
  // JSON is YAML too, and the library takes gigabytes for many levels.
  return below(random, 2) === 0 || manyLevels.test(json)
    ? json
    : stringify(value, { aliasDuplicateObjects: false });
}

/** Mutates the text of evidence.har, or the JSON of one of its lines. */
export function mutateEvidence(text: string, random: Random): string | Buffer {
  if (below(random, 4) === 0) return mutateText(text, random);
  const lines = text.split('\n');
  const at = below(random, Math.min(lines.length, 2 + below(random, lines.length)));
  const [, name = '', json = '', comma = ''] = /^("_run":)?(.*?)(,?)$/s.exec(lines[at] ?? '') ?? [];
  try {
    lines[at] = name + JSON.stringify(mutateValue(JSON.parse(json), random)) + comma;
  } catch {
    lines.splice(at, 1, ...(below(random, 2) === 0 ? [] : ['{}', lines[at] ?? '']));
  }
  return lines.join('\n');
}

/** Mutates an envelope, or its payload under a new signature. */
export function mutateEnvelope(text: string, privateKey: string, random: Random): string | Buffer {
  if (below(random, 3) === 0) return mutateJson(text, random);
  const envelope = JSON.parse(text) as Envelope;
  return JSON.stringify(
    resigned(envelope, privateKey, (payload) => mutateValue(payload, random)),
    null,
    2,
  );
}

/** The envelope with a changed payload, signed anew. */
export function resigned(
  envelope: Envelope,
  privateKey: string,
  change: (payload: unknown) => unknown,
): Envelope {
  const payload: unknown = JSON.parse(Buffer.from(envelope.payload, 'base64').toString());
  const key = readPrivateKey(privateKey, 'mutated inputs');
  return { ...envelope, ...enclose(JSON.stringify(change(payload)) ?? 'null', key, envelope.payloadType) };
}

function nested(value: unknown): unknown {
  let result = value;
  for (let level = 0; level < levels; level += 1) result = level % 2 === 0 ? [result] : { a: result };
  return result;
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

function placesIn(root: Record<string, unknown>): readonly Place[] {
  const places: Place[] = [];
  const open: Array<Record<string, unknown>> = [root];
  for (let container = open.pop(); container !== undefined; container = open.pop())
    for (const key of Object.keys(container)) {
      places.push({ container, key });
      const value = container[key];
      if (typeof value === 'object' && value !== null) open.push(value as Record<string, unknown>);
    }
  return places;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return kindOf(value) === 'object';
}

function put(container: Record<string, unknown>, key: string, value: unknown): void {
  // An assignment to __proto__ would change this object instead of its JSON text.
  Object.defineProperty(container, key, { value, enumerable: true, configurable: true, writable: true });
}

function remove(container: Record<string, unknown>, key: string): void {
  if (Array.isArray(container)) container.splice(Number(key), 1);
  else delete container[key];
}
