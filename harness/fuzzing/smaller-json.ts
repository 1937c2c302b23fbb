import type { Json } from '../model/target.ts';
import { isJsonList, isJsonMembers, type JsonPath, jsonAt, membersFrom, withJsonAt } from './json-places.ts';
import { isNumberAsWritten } from './json-text.ts';
import { smallerSequences } from './smaller-sequences.ts';

/** One difference between a value and the valid one. */
export type JsonChange =
  /** Another value at a place, or one where the valid value has none; undefined where it is the other way round. */
  | { readonly path: JsonPath; readonly put: Json | undefined }
  /** Members in another order. */
  | { readonly path: JsonPath; readonly order: readonly string[] };

/** The differences, each at the outermost place where it can be told apart from the others. */
export function changesFrom(valid: Json, value: Json, path: JsonPath = []): readonly JsonChange[] {
  if (isJsonList(valid) && isJsonList(value)) {
    const longest = Math.max(valid.length, value.length);
    // From the end, so that taking items away leaves the places of the others as they are.
    return Array.from({ length: longest }, (_none, at) => longest - 1 - at).flatMap((at) =>
      changesBetween(valid[at], value[at], [...path, at]),
    );
  }
  if (isJsonMembers(valid) && isJsonMembers(value)) {
    const names = [...new Set([...Object.keys(valid), ...Object.keys(value)])];
    const changes = names.flatMap((name) =>
      changesBetween(own(valid, name), own(value, name), [...path, name]),
    );
    const order = Object.keys(value);
    const expected = Object.keys(applyChanges(valid, changes.map(relativeTo(path))) as object);
    return order.join('\u0000') === expected.join('\u0000') ? changes : [...changes, { path, order }];
  }
  return JSON.stringify(valid) === JSON.stringify(value) ? [] : [{ path, put: value }];
}

function changesBetween(old: Json | undefined, now: Json | undefined, path: JsonPath): readonly JsonChange[] {
  if (old === undefined || now === undefined) return [{ path, put: now }];
  return changesFrom(old, now, path);
}

function relativeTo(base: JsonPath): (change: JsonChange) => JsonChange {
  return (change) => ({ ...change, path: change.path.slice(base.length) });
}

function own(value: { readonly [name: string]: Json }, name: string): Json | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The valid value with these differences made. */
export function applyChanges(valid: Json, changes: readonly JsonChange[]): Json {
  // Items that are added come in the order of their places, those that are taken away in the opposite one.
  const added = changes.filter((change) => 'put' in change && change.put !== undefined).reverse();
  const others = changes.filter((change) => !added.includes(change));
  return [...added, ...others].reduce<Json>((value, change) => {
    if ('put' in change) return withJsonAt(value, change.path, change.put);
    const old = jsonAt(value, change.path);
    return isJsonMembers(old) ? withJsonAt(value, change.path, inOrder(old, change.order)) : value;
  }, valid);
}

function inOrder(value: { readonly [name: string]: Json }, order: readonly string[]): Json {
  const entries = Object.entries(value);
  const rank = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return membersFrom(entries.sort(([a], [b]) => rank(a) - rank(b)));
}

/**
 * Smaller values: members and items taken away, whatever they hold; what differs from the valid value made simpler, but
 * what does not left as it is or emptied, since nothing is learnt from another valid-looking text.
 */
export function* smallerJson(value: Json, valid: Json | undefined, isTop = true): Generator<Json> {
  if (!isTop && valid !== undefined && JSON.stringify(value) === JSON.stringify(valid)) {
    if (isJsonList(value)) yield [];
    else if (isJsonMembers(value)) yield {};
    return;
  }
  if (isJsonList(value)) {
    if (!isTop) yield* flatter(value);
    for (const fewer of smallerSequences(value, (item) => item)) yield fewer;
    for (const [at, item] of value.entries()) {
      const known = isJsonList(valid) ? valid[at] : undefined;
      for (const smaller of smallerJson(item, known, false)) yield withJsonAt(value, [at], smaller);
    }
    return;
  }
  if (isJsonMembers(value)) {
    if (!isTop) yield* flatter(value);
    const entries = Object.entries(value);
    for (const fewer of smallerSequences(entries, (entry) => entry)) yield membersFrom(fewer);
    for (const [name, member] of entries) {
      const known = isJsonMembers(valid) ? own(valid, name) : undefined;
      for (const smaller of smallerJson(member, known, false)) yield withJsonAt(value, [name], smaller);
    }
    return;
  }
  if (typeof value === 'string') {
    if (isNumberAsWritten(value)) {
      yield* [0, 1, -1];
      return;
    }
    for (const letters of smallerSequences([...value], simplerLetter)) yield letters.join('');
  }
  if (typeof value === 'number') yield* smallerNumbers(value);
  if (value === true) yield false;
}

/** A letter that is one of many stays what it is no more than it must. */
function simplerLetter(letter: string): string {
  return /^[\x20-\x7e]$/.test(letter) ? 'a' : letter;
}

function* smallerNumbers(value: number): Generator<number> {
  const candidates = [
    0,
    Math.sign(value),
    Math.trunc(value),
    Math.trunc(value / 2),
    value - Math.sign(value),
  ];
  for (const candidate of candidates) {
    if (Math.abs(candidate) < Math.abs(value) || (Number.isInteger(candidate) && !Number.isInteger(value))) {
      yield candidate;
    }
  }
}

/** What is nested, nested less deep: nothing in it, half of its levels, all but one. */
function* flatter(value: Json): Generator<Json> {
  yield 0;
  const chain = downwards(value);
  for (let levels = chain.length >> 1; levels >= 1; levels >>= 1) {
    const inner = chain[levels];
    if (inner !== undefined) yield inner;
  }
}

/** A value, its first item or member, the first of that, and so on. */
function downwards(value: Json): readonly Json[] {
  const chain: Json[] = [];
  let next: Json | undefined = value;
  while (next !== undefined) {
    chain.push(next);
    if (isJsonList(next)) next = next[0];
    else if (isJsonMembers(next)) next = Object.values(next)[0];
    else next = undefined;
  }
  return chain;
}
