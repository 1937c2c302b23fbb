import type { Members } from '../model/supplied-document.ts';
import type { Json } from '../model/target.ts';
import type { SchemaValidator } from '../openapi/compile-document.ts';
import { membersOf, type Place, reach } from '../openapi/follow-references.ts';
import { pointerOf } from '../openapi/json-pointers.ts';
import { rulesOf } from '../openapi/schema-violations.ts';
import { isMembers } from '../openapi/supplied-document.ts';
import { isJsonList, isJsonMembers, type JsonPath, withJsonAt } from './json-places.ts';

/** A body that differs from a valid one in one place, and is valid too, by what the schema says of that place. */
export interface ValidVariation {
  /** What was done, such as `without /note`. */
  readonly id: string;
  readonly value: Json;
}

/** Other values of one enumeration that are tried. */
const mostListed = 4;
const longestText = 20_000;
const deepest = 6;

/**
 * Single changes to a known valid body after which its schema holds by what it states outright. Left alone is all that a
 * service may have rules for that no schema states: texts that may be identifiers or have a format, items that repeat,
 * numbers without bounds, flags that are set already.
 */
export function validVariations(
  content: Members,
  schema: Place,
  valid: Json,
  validate: SchemaValidator,
): readonly ValidVariation[] {
  const seen = new Set<string>([JSON.stringify(valid)]);
  return [...variationsAt(content, [schema], valid, [], 0)]
    .map(({ id, path, put }) => ({ id, value: withJsonAt(valid, path, put) }))
    .filter(({ value }) => {
      const text = JSON.stringify(value);
      return !seen.has(text) && seen.add(text) && validate(value).ok;
    });
}

interface Variation {
  readonly id: string;
  readonly path: JsonPath;
  readonly put: Json | undefined;
}

function* variationsAt(
  content: Members,
  schemas: readonly Place[],
  value: Json,
  path: JsonPath,
  depth: number,
): Generator<Variation> {
  const places = schemas.flatMap((schema) => rulesOf(content, schema));
  const rules = places.map((place) => place.value).filter(isMembers);
  const name = path.length === 0 ? 'the body' : pointerOf(path.map(String));
  for (const { says, put } of otherValues(rules, value)) yield { id: `${name} ${says}`, path, put };
  if (depth >= deepest) return;
  if (isJsonList(value)) {
    const least = Math.max(1, ...rules.map(({ minItems }) => (typeof minItems === 'number' ? minItems : 0)));
    if (value.length > least) yield { id: `${name} with fewer items`, path, put: value.slice(0, least) };
    const items = places.flatMap((place) => reach(content, place, 'items') ?? []);
    const [first] = value;
    if (first !== undefined) yield* variationsAt(content, items, first, [...path, 0], depth + 1);
    return;
  }
  if (!isJsonMembers(value)) return;
  const properties = new Map<string, Place[]>();
  for (const place of places) {
    for (const [member, property] of membersOf(content, reach(content, place, 'properties'))) {
      properties.set(member, [...(properties.get(member) ?? []), property]);
    }
  }
  for (const [member, schemasOfMember] of properties) {
    const at = [...path, member];
    const place = pointerOf(at.map(String));
    const held = Object.hasOwn(value, member) ? value[member] : undefined;
    if (held !== undefined) {
      // Whether it may be left out, the validator says.
      yield { id: `without ${place}`, path: at, put: undefined };
      yield* variationsAt(content, schemasOfMember, held, at, depth + 1);
      continue;
    }
    for (const { says, put } of statedValues(content, schemasOfMember)) {
      yield { id: `with ${place} ${says}`, path: at, put };
    }
  }
  const isOpen = rules.some(({ additionalProperties }) => additionalProperties === true);
  if (isOpen) {
    yield {
      id: `${name} with a member of no meaning`,
      path: [...path, 'conformanceUnknownMember'],
      put: true,
    };
  }
}

interface OtherValue {
  readonly says: string;
  readonly put: Json;
}

function* otherValues(rules: readonly Members[], value: Json): Generator<OtherValue> {
  if (value !== null && rules.some(isNullable)) yield { says: 'as null', put: null };
  if (typeof value === 'number') yield* bounds(rules);
  if (typeof value === 'string') yield* otherLengths(rules, value);
  for (const listed of listedIn(rules)) yield { says: `as ${JSON.stringify(listed)}`, put: listed };
}

function isNullable(rule: Members): boolean {
  const { type } = rule;
  return rule['nullable'] === true || (Array.isArray(type) && type.includes('null'));
}

function listedIn(rules: readonly Members[]): readonly Json[] {
  return rules.flatMap((rule) => {
    const { enum: listed } = rule;
    return Array.isArray(listed) ? (listed as readonly Json[]).slice(-mostListed) : [];
  });
}

function* bounds(rules: readonly Members[]): Generator<OtherValue> {
  for (const rule of rules) {
    const { minimum, maximum } = rule;
    if (typeof minimum === 'number') yield { says: 'at its least', put: minimum };
    if (typeof maximum === 'number') yield { says: 'at its most', put: maximum };
  }
}

/** Prose only: what holds no space may be the name of something, and means another thing when it is longer. */
function* otherLengths(rules: readonly Members[], value: string): Generator<OtherValue> {
  const isProse = /\p{L} \p{L}/u.test(value);
  const isFree = rules.every((rule) =>
    ['format', 'pattern', 'enum', 'const'].every((keyword) => !(keyword in rule)),
  );
  if (!isProse || !isFree) return;
  for (const { minLength, maxLength } of rules) {
    if (typeof maxLength === 'number' && maxLength <= longestText) {
      const longer = `${value} `.repeat(Math.ceil(maxLength / value.length)).slice(0, maxLength);
      yield { says: 'at its longest', put: longer.replace(/\s$/, 'a') };
    }
    if (typeof minLength === 'number' && minLength > 0) {
      yield { says: 'at its shortest', put: value.slice(0, minLength) };
    }
  }
}

/** Values that the schema itself gives for a member that is not there. */
function* statedValues(content: Members, schemas: readonly Place[]): Generator<OtherValue> {
  const rules = schemas
    .flatMap((schema) => rulesOf(content, schema))
    .map(({ value }) => value)
    .filter(isMembers);
  if (rules.some((rule) => rule['readOnly'] === true || rule['deprecated'] === true)) return;
  for (const rule of rules) {
    const { example, examples, type } = rule;
    const given = [
      ...(Object.hasOwn(rule, 'const') ? [rule['const']] : []),
      ...listedIn([rule]),
      ...(Object.hasOwn(rule, 'default') ? [rule['default']] : []),
      // What is not there is most often taken for false; whether true will do may depend on other things.
      ...(type === 'boolean' ? [false] : []),
    ] as readonly Json[];
    for (const value of given) yield { says: `as ${JSON.stringify(value)}`, put: value };
    const [shown] = [example, ...(Array.isArray(examples) ? examples : [])].filter(isPlain);
    if (shown !== undefined) yield { says: 'as in its example', put: shown };
  }
}

/** An example of a text may name something that the target does not have. */
function isPlain(value: unknown): value is Json {
  return typeof value === 'number' || typeof value === 'boolean';
}
