import type { CaseClient } from '../../harness/calls/case-client.ts';
import { isJsonList, isJsonMembers, type JsonMembers } from '../../harness/fuzzing/json-places.ts';
import { isNumberAsWritten, jsonText } from '../../harness/fuzzing/json-text.ts';
import type { Json } from '../../harness/model/target.ts';

const longText = 256;
const deepNesting = 20;

/** Whether the target file excludes a body, by any of the classes of its differences from a valid one. */
export function isExcludedBody(client: CaseClient, value: Json, valid: Json): boolean {
  return client.hasExclusions && [...classesOf(value, valid)].some((name) => client.excludes(name, 'body'));
}

/** The classes of all differences between a body and a valid one, by the names that `exclude` takes. */
export function* classesOf(value: Json, valid: Json | undefined, level: number = 0): Generator<string> {
  if (valid !== undefined && typeOf(value) !== typeOf(valid)) yield value === null ? 'null-members' : 'types';
  if (level > deepNesting) yield 'deep-nesting';
  else if (typeOf(value) === 'number') {
    if (jsonText(value) !== jsonText(valid ?? null)) yield 'numbers';
  } else if (typeof value === 'string') yield* classesOfText(value, valid);
  else if (isJsonMembers(value)) yield* classesOfMembers(value, valid, level);
  else if (isJsonList(value)) {
    if (isJsonList(valid) && valid.length !== value.length) yield 'lists';
    for (const [at, item] of value.entries())
      yield* classesOf(item, isJsonList(valid) ? valid[at] : valid, level + 1);
  }
}

function classesOfText(text: string, valid: Json | undefined): readonly string[] {
  if (text === valid) return [];
  const isAddress = typeof valid === 'string' && valid.includes('://');
  return [
    ...(text === '' ? ['empty-texts'] : /^\s+$/.test(text) ? ['blank-texts'] : []),
    ...(/\p{Cc}/u.test(text) ? ['control-characters'] : []),
    ...(/[<>'"`\\%$;{}]|\p{Cf}|[^\0-\uffff]/u.test(text) ? ['metacharacters'] : []),
    ...(/\p{Surrogate}/u.test(text) ? ['lone-surrogates'] : []),
    ...(text.length >= longText ? ['long-texts'] : []),
    ...(typeof valid === 'string' ? [isAddress ? 'addresses' : 'unknown-values'] : []),
  ];
}

function* classesOfMembers(value: JsonMembers, valid: Json | undefined, level: number): Generator<string> {
  if (!isJsonMembers(valid)) {
    for (const member of Object.values(value)) yield* classesOf(member, valid, level + 1);
    return;
  }
  const [names, expected] = [Object.keys(value), Object.keys(valid)];
  if (expected.some((name) => !Object.hasOwn(value, name))) yield 'missing-members';
  const known = names.filter((name) => Object.hasOwn(valid, name));
  const inOrder = expected.filter((name) => Object.hasOwn(value, name));
  if (known.some((name, at) => name !== inOrder[at])) yield 'order';
  for (const [name, member] of Object.entries(value)) {
    const other = Object.hasOwn(valid, name) ? valid[name] : undefined;
    if (other === undefined) yield* classesOfName(name, expected);
    yield* classesOf(member, other, level + 1);
  }
}

function classesOfName(name: string, expected: readonly string[]): readonly string[] {
  if (['__proto__', 'constructor', 'prototype'].includes(name)) return ['prototype-names'];
  const isLike = expected.some((one) => one.toLowerCase() === name.toLowerCase());
  return [isLike ? 'names' : 'unknown-members'];
}

function typeOf(value: Json): string {
  if (typeof value === 'string' && isNumberAsWritten(value)) return 'number';
  return value === null ? 'null' : isJsonList(value) ? 'list' : typeof value;
}
