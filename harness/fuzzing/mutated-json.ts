import fc, { type Arbitrary } from 'fast-check';
import type { Json } from '../model/target.ts';
import { anyCharacter } from './any-character.ts';
import { isJsonList, isJsonMembers, type JsonPath, jsonAt, membersFrom, withJsonAt } from './json-places.ts';
import { numberAsWritten } from './json-text.ts';

/** Changes that one mutation makes. */
const mostChanges = 3;

/** Leaves on which readers of JSON, data bases and templates stumble. */
const unusualLeaves: readonly Json[] = [
  null,
  true,
  false,
  0,
  -1,
  1,
  0.1,
  2 ** 31,
  -(2 ** 31) - 1,
  ...['-0', '9007199254740993', '1e400', '-1e400', '1e-400'].map(numberAsWritten),
  '',
  ' ',
  '0',
  'null',
  'true',
  '\u0000',
  '\ud800',
  '\udfff',
  '\u{1f455}',
  '\u202e',
  '\ufeff',
  '\u2028',
  'e\u0301',
  "'",
  '"',
  '\\',
  '<',
  '%',
  '%00',
  '$',
  '{}',
  '../',
  '__proto__',
  'a'.repeat(64),
  'a'.repeat(256),
  [],
  {},
  [[]],
  { '': null },
];

type Change = (value: Json) => Json;

/**
 * Mutations of a valid value: members changed, taken away, added, repeated or put in another order, leaves made unusual,
 * types swapped, texts and numbers altered a little; one to three changes, few of them more often than many.
 */
function mutatedJson(valid: Json): Arbitrary<Json> {
  const places = placesOf(valid, []);
  const change = fc.constantFrom(...places).chain((path) => changeAt(valid, path));
  return fc
    .oneof(
      { weight: 3, arbitrary: fc.tuple(change) },
      fc.array(change, { minLength: 2, maxLength: mostChanges }),
    )
    .map((changes) => changes.reduce((value, apply) => apply(value), valid));
}

/** Values that depend on the valid one and the seed alone. */
export function sampleMutations(valid: Json, seed: number, count: number): readonly Json[] {
  return count === 0 ? [] : fc.sample(mutatedJson(valid), { seed, numRuns: count });
}

function placesOf(value: Json, path: JsonPath): readonly JsonPath[] {
  if (isJsonList(value)) return [path, ...value.flatMap((item, at) => placesOf(item, [...path, at]))];
  if (!isJsonMembers(value)) return [path];
  return [path, ...Object.entries(value).flatMap(([name, member]) => placesOf(member, [...path, name]))];
}

/** A place that an earlier change has taken away is left as it is. */
function changing(path: JsonPath, change: (old: Json) => Json | undefined): Change {
  return (value) => {
    const old = jsonAt(value, path);
    return old === undefined ? value : withJsonAt(value, path, change(old));
  };
}

function changeAt(valid: Json, path: JsonPath): Arbitrary<Change> {
  const old = jsonAt(valid, path) ?? null;
  const unusual = fc.constantFrom(...unusualLeaves).map((leaf) => changing(path, () => leaf));
  const other = fc.jsonValue({ maxDepth: 2 }).map((made) => changing(path, () => made as Json));
  const wrapped = fc.constantFrom(
    changing(path, (value) => [value]),
    changing(path, (value) => ({ value })),
  );
  const removed = fc.constant(changing(path, () => undefined));
  const general = path.length === 0 ? [other, wrapped] : [unusual, other, wrapped, removed];
  return fc.oneof(...general, ...ownChanges(old, path));
}

function ownChanges(
  old: Json,
  path: JsonPath,
): ReadonlyArray<Arbitrary<Change> | { readonly weight: number; readonly arbitrary: Arbitrary<Change> }> {
  if (typeof old === 'string') {
    const texts = unusualLeaves.filter((leaf) => typeof leaf === 'string');
    const breaking = fc.constantFrom('\u0000', '\ud800', '\u{1f455}', "'", '<', ...texts);
    return [
      {
        weight: 3,
        arbitrary: fc
          .tuple(fc.nat(old.length), fc.oneof(breaking, fc.constantFrom('\u0000', '\ud800', '"', '<')))
          .map(([at, character]) => changing(path, () => old.slice(0, at) + character + old.slice(at))),
      },
      fc.nat(old.length).map((end) => changing(path, () => old.slice(0, end))),
      fc.integer({ min: 2, max: 40 }).map((times) => changing(path, () => old.repeat(times))),
      fc.string({ unit: anyCharacter, maxLength: 40 }).map((text) => changing(path, () => text)),
    ];
  }
  if (typeof old === 'number') {
    return [
      fc.integer().map((number) => changing(path, () => number)),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => changing(path, () => number)),
      fc
        .constantFrom(-old, old + 1, old - 1, old * 1000, old / 2)
        .map((number) => changing(path, () => number)),
    ];
  }
  const leaf = fc.constantFrom(...unusualLeaves);
  if (isJsonList(old)) {
    return [
      leaf.map((added) => changing(path, (value) => (isJsonList(value) ? [...value, added] : value))),
      fc
        .integer({ min: 2, max: 60 })
        .map((times) =>
          changing(path, (value) =>
            isJsonList(value) ? Array.from({ length: times }, () => value).flat() : value,
          ),
        ),
      fc.constant(changing(path, (value) => (isJsonList(value) ? [...value].reverse() : value))),
    ];
  }
  if (!isJsonMembers(old)) return [];
  const name = fc.oneof(
    fc.constantFrom(
      '__proto__',
      'constructor',
      'toString',
      'id',
      'type',
      '',
      '$ref',
      'conformance',
      ...likeNames(old),
    ),
    fc.string({ maxLength: 12 }),
  );
  return [
    fc
      .tuple(name, leaf)
      .map(([added, value]) =>
        changing(path, (whole) =>
          isJsonMembers(whole) && !Object.hasOwn(whole, added)
            ? membersFrom([...Object.entries(whole), [added, value]])
            : whole,
        ),
      ),
    fc
      .shuffledSubarray(Object.keys(old), { minLength: Object.keys(old).length })
      .map((order) =>
        changing(path, (whole) =>
          isJsonMembers(whole)
            ? membersFrom(
                order.filter((one) => Object.hasOwn(whole, one)).map((one) => [one, whole[one] ?? null]),
              )
            : whole,
        ),
      ),
  ];
}

function likeNames(old: { readonly [name: string]: Json }): readonly string[] {
  return Object.keys(old).flatMap((name) => [name.toUpperCase(), `${name} `, `${name}s`]);
}
