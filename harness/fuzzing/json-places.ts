import type { Json } from '../model/target.ts';

export type JsonMembers = { readonly [name: string]: Json };

/** The way to a value within a JSON value: names of members, numbers of items. */
export type JsonPath = ReadonlyArray<string | number>;

export interface JsonLeaf {
  readonly path: JsonPath;
  readonly value: string | number | boolean | null;
}

export function isJsonMembers(value: Json | undefined): value is JsonMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isJsonList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** An object made of its members; one called `__proto__` is a member like any other. */
export function membersFrom(entries: Iterable<readonly [string, Json]>): JsonMembers {
  return Object.fromEntries(entries);
}

/** The scalars of a value, in the order of its text. */
export function jsonLeaves(value: Json, path: JsonPath = []): readonly JsonLeaf[] {
  if (isJsonList(value)) return value.flatMap((item, at) => jsonLeaves(item, [...path, at]));
  if (isJsonMembers(value)) {
    return Object.entries(value).flatMap(([name, member]) => jsonLeaves(member, [...path, name]));
  }
  return [{ path, value: value as JsonLeaf['value'] }];
}

/** What stands at a place; undefined where there is no such place. */
export function jsonAt(value: Json | undefined, [step, ...rest]: JsonPath): Json | undefined {
  if (step === undefined) return value;
  // The length of a list is no value of its own.
  if (typeof value !== 'object' || value === null || (isJsonList(value) && step === 'length'))
    return undefined;
  return Object.hasOwn(value, step) ? jsonAt((value as JsonMembers)[step], rest) : undefined;
}

/** The value with another one at a place that it has, or that its parent could have; `undefined` takes the place away. */
export function withJsonAt(value: Json, path: JsonPath, put: Json | undefined): Json {
  const [step, ...rest] = path;
  if (step === undefined) return put ?? null;
  if (isJsonList(value) && typeof step === 'number') {
    const changed = rest.length === 0 ? put : withJsonAt(value[step] ?? null, rest, put);
    return value.toSpliced(step, 1, ...(changed === undefined ? [] : [changed]));
  }
  if (!isJsonMembers(value)) return value;
  const name = String(step);
  const members = new Map(Object.entries(value));
  const changed = rest.length === 0 ? put : withJsonAt(members.get(name) ?? null, rest, put);
  if (changed === undefined) members.delete(name);
  else members.set(name, changed);
  return membersFrom(members);
}

/** The value with all its texts changed; `change` gets the name of the member, or of the list, that holds the text. */
export function withTexts(value: Json, change: (text: string, name: string) => Json, name = ''): Json {
  if (typeof value === 'string') return change(value, name);
  if (isJsonList(value)) return value.map((item) => withTexts(item, change, name));
  if (!isJsonMembers(value)) return value;
  return membersFrom(
    Object.entries(value).map(([member, item]) => [member, withTexts(item, change, member)]),
  );
}
