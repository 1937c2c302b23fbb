import type { Json } from '../model/target.ts';
import { isJsonList, isJsonMembers, type JsonPath, jsonAt, membersFrom, withJsonAt } from './json-places.ts';
import { isNumberAsWritten } from './json-text.ts';
import { smallerSequences } from './reduce.ts';

/** Forms of a value nearer to the valid one: without what it adds, then with one place put back, the outermost first. */
export function* nearerJson(value: Json, valid: Json): Generator<Json> {
  if (isJsonList(value) && isJsonList(valid)) {
    if (value.length > valid.length) yield value.slice(0, valid.length);
    if (value.length < valid.length) yield [...value, ...valid.slice(value.length)];
  } else if (isJsonMembers(value) && isJsonMembers(valid)) {
    const known = Object.entries(value).filter(([name]) => Object.hasOwn(valid, name));
    if (known.length < Object.keys(value).length) yield membersFrom(known);
  } else return;
  for (const step of new Set([...stepsOf(valid), ...stepsOf(value)])) {
    const [old, due] = [jsonAt(value, [step]), jsonAt(valid, [step])];
    if (JSON.stringify(old) === JSON.stringify(due)) continue;
    yield withJsonAt(value, [step], due);
    if (old === undefined || due === undefined) continue;
    for (const nearer of nearerJson(old, due)) yield withJsonAt(value, [step], nearer);
  }
}

function stepsOf(value: Json): JsonPath {
  if (isJsonList(value)) return [...value.keys()];
  return isJsonMembers(value) ? Object.keys(value) : [];
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
  if (isJsonList(value) || isJsonMembers(value)) {
    if (!isTop) yield* flatter(value);
    if (isJsonList(value)) yield* smallerSequences(value, (item) => item);
    else
      for (const fewer of smallerSequences(Object.entries(value), (entry) => entry)) yield membersFrom(fewer);
    for (const step of stepsOf(value)) {
      const smallerParts = smallerJson(jsonAt(value, [step]) ?? null, jsonAt(valid, [step]), false);
      for (const smaller of smallerParts) yield withJsonAt(value, [step], smaller);
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
  const [first] = isJsonList(value) ? value : isJsonMembers(value) ? Object.values(value) : [];
  return first === undefined ? [value] : [value, ...downwards(first)];
}
