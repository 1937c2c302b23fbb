import fc, { type Arbitrary } from 'fast-check';
import type { Members } from '../model/supplied-document.ts';
import type { Json } from '../model/target.ts';
import type { SchemaValidator } from '../openapi/compile-document.ts';
import { membersOf, type Place, reach } from '../openapi/follow-references.ts';
import { pointerOf } from '../openapi/json-pointers.ts';
import { rulesOf } from '../openapi/schema-violations.ts';
import { isMembers } from '../openapi/supplied-document.ts';
import { anyCharacter } from './any-character.ts';
import { formattedText } from './formatted-text.ts';
import { membersFrom } from './json-places.ts';

/** How often a schema may stand within itself. */
const mostNestings = 2;
/** What a list or a text may have beyond the least that it must. */
const moreItems = 4;
const moreLetters = 40;
/** Values in a row that the validator may refuse before the schema is given up. */
const mostMisses = 2_000;
/** The least size that is still made up, the alternatives that are chosen from, and the schemas that are read for one value. */
const mostMadeUp = 2_000;
const mostAlternatives = 50;
const mostSchemas = 20_000;

/** The schema asks for what cannot be made up within reason. */
class NothingMadeUp extends Error {}

/**
 * Values made up from a schema alone, each of which its validator takes; undefined where none can be made up. What the
 * schema says beyond its plain keywords, such as `not` and `if`, is left to the validator; drawing throws
 * `NothingMadeUp` where that refuses too many.
 */
export function schemaArbitrary(
  content: Members,
  schema: Place,
  validate: SchemaValidator,
): Arbitrary<Json> | undefined {
  let misses = 0;
  return new Translation(content).of([schema], new Map(), new Set())?.filter((value) => {
    if (validate(value).ok) {
      misses = 0;
      return true;
    }
    misses += 1;
    if (misses > mostMisses) throw new NothingMadeUp();
    return false;
  });
}

/** Values made up from a schema that depend on it and the seed alone; none where none can be made up. */
export function sampleSchema(
  content: Members,
  schema: Place,
  validate: SchemaValidator,
  { seed, count }: { readonly seed: number; readonly count: number },
): readonly Json[] {
  const arbitrary = schemaArbitrary(content, schema, validate);
  if (arbitrary === undefined || count === 0) return [];
  try {
    return fc.sample(arbitrary, { seed, numRuns: count });
  } catch (error) {
    if (error instanceof NothingMadeUp) return [];
    throw error;
  }
}

type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/** Keywords that speak of one type only. */
const telling: ReadonlyArray<readonly [JsonType, readonly string[]]> = [
  ['object', ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties']],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems']],
  ['string', ['minLength', 'maxLength', 'pattern', 'format']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
];

class Translation {
  readonly #content: Members;
  #read = 0;

  constructor(content: Members) {
    this.#content = content;
  }

  /** What satisfies all of the schemas; `path` counts the schemas that this stands within, `chosen` has made its choices. */
  of(
    schemas: readonly Place[],
    path: ReadonlyMap<string, number>,
    chosen: ReadonlySet<string>,
  ): Arbitrary<Json> | undefined {
    this.#read += 1;
    if (this.#read > mostSchemas) return undefined;
    const places = uniquePlaces(schemas.flatMap((schema) => rulesOf(this.#content, schema)));
    if (schemas.some(({ value }) => value === false)) return undefined;
    const within = new Map(path);
    // A choice is made within the same value, which does not go deeper for it.
    if (chosen.size === 0) {
      for (const { steps } of places) {
        const key = pointerOf(steps);
        within.set(key, (within.get(key) ?? 0) + 1);
        if ((within.get(key) ?? 0) > mostNestings) return undefined;
      }
    }
    const rules = places.map(({ value }) => value).filter(isMembers);
    for (const place of places) {
      for (const keyword of ['oneOf', 'anyOf']) {
        const key = `${pointerOf(place.steps)} ${keyword}`;
        if (chosen.has(key) || !isMembers(place.value) || !Array.isArray(place.value[keyword])) continue;
        const branches = membersOf(this.#content, reach(this.#content, place, keyword))
          .slice(0, mostAlternatives)
          .map(([, branch]) => this.of([...places, branch], within, new Set([...chosen, key])))
          .filter((branch) => branch !== undefined);
        return branches.length === 0 ? undefined : fc.oneof(...branches);
      }
    }
    const listed = listedValues(rules);
    if (listed !== undefined) return listed.length === 0 ? undefined : fc.constantFrom(...listed);
    const made = typesOf(rules)
      .map((type) => this.#ofType(type, places, rules, within))
      .filter((arbitrary) => arbitrary !== undefined);
    const examples = rules.flatMap((rule) => examplesIn(rule));
    if (examples.length > 0) made.push(fc.constantFrom(...examples));
    return made.length === 0 ? undefined : fc.oneof(...made);
  }

  #ofType(
    type: JsonType,
    places: readonly Place[],
    rules: readonly Members[],
    within: ReadonlyMap<string, number>,
  ): Arbitrary<Json> | undefined {
    switch (type) {
      case 'null':
        return fc.constant(null);
      case 'boolean':
        return fc.boolean();
      case 'integer':
      case 'number':
        return numbers(rules, type === 'integer');
      case 'string':
        return texts(rules);
      case 'array':
        return this.#lists(places, rules, within);
      default:
        return this.#objects(places, rules, within);
    }
  }

  #lists(
    places: readonly Place[],
    rules: readonly Members[],
    within: ReadonlyMap<string, number>,
  ): Arbitrary<Json> | undefined {
    const least = Math.max(0, ...numbersAt(rules, 'minItems'));
    const most = Math.min(least + moreItems, ...numbersAt(rules, 'maxItems'));
    if (least > mostMadeUp) return undefined;
    const reached = (...names: readonly string[]): readonly Place[] =>
      places.flatMap((place) => reach(this.#content, place, ...names) ?? []);
    const known: Array<Arbitrary<Json>> = [];
    for (let at = 0; reached('prefixItems', String(at)).length > 0; at += 1) {
      const item = this.of(reached('prefixItems', String(at)), within, new Set());
      if (item === undefined) return at >= least ? listOf(known, [], at, at) : undefined;
      known.push(item);
    }
    const schemas = reached('items');
    const other =
      schemas.length === 0 ? fc.jsonValue({ maxDepth: 1 }).map(asJson) : this.of(schemas, within, new Set());
    if (other === undefined && least > known.length) return undefined;
    if (rules.some(({ uniqueItems }) => uniqueItems === true) && known.length === 0 && other !== undefined) {
      return fc.uniqueArray(other, {
        minLength: least,
        maxLength: most,
        selector: (item) => JSON.stringify(item),
      });
    }
    return listOf(known, other === undefined ? [] : [other], least, most);
  }

  #objects(
    places: readonly Place[],
    rules: readonly Members[],
    within: ReadonlyMap<string, number>,
  ): Arbitrary<Json> | undefined {
    const required = new Set(
      rules.flatMap(({ required }) => (Array.isArray(required) ? (required as readonly string[]) : [])),
    );
    const properties = new Map<string, Place[]>([...required].map((name) => [name, []]));
    for (const place of places) {
      for (const [name, property] of membersOf(this.#content, reach(this.#content, place, 'properties'))) {
        properties.set(name, [...(properties.get(name) ?? []), property]);
      }
    }
    const others = places.flatMap((place) => reach(this.#content, place, 'additionalProperties') ?? []);
    const extra = others.some(({ value }) => value === false)
      ? undefined
      : this.of(
          others.filter(({ value }) => isMembers(value)),
          within,
          new Set(),
        );
    const members: Array<Arbitrary<readonly [string, Json] | undefined>> = [];
    for (const [name, schemas] of properties) {
      const isReadOnly = schemas.some(({ value }) => isMembers(value) && value['readOnly'] === true);
      const value = schemas.length === 0 && extra !== undefined ? extra : this.of(schemas, within, new Set());
      if (required.has(name) && !isReadOnly) {
        if (value === undefined) return undefined;
        members.push(value.map((made) => [name, made] as const));
      } else if (value !== undefined && !isReadOnly) {
        members.push(
          fc.option(
            value.map((made) => [name, made] as const),
            { nil: undefined },
          ),
        );
      }
    }
    const least = Math.max(0, ...numbersAt(rules, 'minProperties'));
    if (least > mostMadeUp) return undefined;
    const isOpen = others.some(({ value }) => isMembers(value)) || least > properties.size;
    const more =
      extra === undefined || !isOpen
        ? fc.constant<ReadonlyArray<readonly [string, Json]>>([])
        : fc.uniqueArray(fc.tuple(fc.stringMatching(/^[a-z]{1,8}$/), extra), {
            minLength: Math.max(0, least - properties.size),
            maxLength: Math.max(2, least),
            selector: ([name]) => name,
          });
    return fc
      .tuple(fc.tuple(...members), more)
      .map(([own, added]) =>
        membersFrom([
          ...own.filter((member) => member !== undefined),
          ...added.filter(([name]) => !properties.has(name)),
        ]),
      );
  }
}

function asJson(value: unknown): Json {
  return value as Json;
}

function uniquePlaces(places: readonly Place[]): readonly Place[] {
  return [...new Map(places.map((place) => [pointerOf(place.steps), place])).values()];
}

function listOf(
  known: ReadonlyArray<Arbitrary<Json>>,
  other: ReadonlyArray<Arbitrary<Json>>,
  least: number,
  most: number,
): Arbitrary<Json> {
  const [rest] = other;
  const more =
    rest === undefined
      ? fc.constant<readonly Json[]>([])
      : fc.array(rest, {
          minLength: Math.max(0, least - known.length),
          maxLength: Math.max(0, most - known.length),
        });
  return fc.tuple(fc.tuple(...known), more).map(([first, others]) => [...first, ...others].slice(0, most));
}

function listedValues(rules: readonly Members[]): readonly Json[] | undefined {
  const lists = rules.flatMap(
    (rule): ReadonlyArray<readonly Json[]> => [
      ...(Object.hasOwn(rule, 'const') ? [[rule['const'] as Json]] : []),
      ...(Array.isArray(rule['enum']) ? [rule['enum'] as readonly Json[]] : []),
    ],
  );
  const [first, ...others] = lists;
  const isIn = (list: readonly Json[], value: Json): boolean =>
    list.some((one) => JSON.stringify(one) === JSON.stringify(value));
  return first?.filter((value) => others.every((list) => isIn(list, value)));
}

function typesOf(rules: readonly Members[]): readonly JsonType[] {
  let types: readonly JsonType[] | undefined;
  let isNullable = false;
  for (const rule of rules) {
    isNullable ||= rule['nullable'] === true;
    const { type } = rule;
    if (typeof type !== 'string' && !Array.isArray(type)) continue;
    const named = [type].flat() as readonly JsonType[];
    const allows = (one: JsonType): boolean =>
      named.includes(one) || (one === 'integer' && named.includes('number'));
    const narrowed = named.filter((one) => one === 'integer' && types?.includes('number'));
    types = types === undefined ? named : [...types.filter(allows), ...narrowed];
  }
  types ??= telling
    .filter(([, keywords]) => rules.some((rule) => keywords.some((keyword) => Object.hasOwn(rule, keyword))))
    .map(([type]) => type);
  if (types.length === 0) types = ['string', 'integer', 'boolean'];
  return [...new Set([...types, ...(isNullable ? (['null'] as const) : [])])];
}

function numbersAt(rules: readonly Members[], keyword: string): readonly number[] {
  return rules.map((rule) => rule[keyword]).filter((value) => typeof value === 'number');
}

function examplesIn(rule: Members): readonly Json[] {
  const { example, examples, default: byDefault } = rule;
  return [example, ...(Array.isArray(examples) ? examples : []), byDefault]
    .filter((value) => value !== undefined)
    .map(asJson);
}

function numbers(rules: readonly Members[], isInteger: boolean): Arbitrary<Json> | undefined {
  const least = [...numbersAt(rules, 'minimum'), ...numbersAt(rules, 'exclusiveMinimum')];
  const most = [...numbersAt(rules, 'maximum'), ...numbersAt(rules, 'exclusiveMaximum')];
  const min = least.length > 0 ? Math.max(...least) : Math.min(-(2 ** 31), ...most.map((one) => one - 1e6));
  const max = most.length > 0 ? Math.min(...most) : Math.max(2 ** 31, min + 1e6);
  if (min > max) return undefined;
  const [step] = numbersAt(rules, 'multipleOf').filter((one) => one > 0);
  if (step === undefined && !isInteger) return fc.double({ min, max, noNaN: true });
  const unit = step === undefined || (isInteger && !Number.isInteger(step)) ? 1 : step;
  const from = Math.ceil(min / unit);
  const to = Math.floor(max / unit);
  if (from > to) return undefined;
  const digits = String(unit).split('.')[1]?.length ?? 0;
  return fc.integer({ min: from, max: to }).map((times) => Number((times * unit).toFixed(digits)));
}

function texts(rules: readonly Members[]): Arbitrary<Json> | undefined {
  const minLength = Math.max(0, ...numbersAt(rules, 'minLength'));
  const most = Math.min(...numbersAt(rules, 'maxLength'), Number.POSITIVE_INFINITY);
  if (minLength > most || minLength > 100 * mostMadeUp) return undefined;
  const maxLength = Math.min(minLength + moreLetters, most);
  const format = rules.map((rule) => rule['format']).find((name) => typeof name === 'string');
  const patterns = rules.map((rule) => rule['pattern']).filter((pattern) => typeof pattern === 'string');
  const [pattern] = patterns;
  if (pattern !== undefined) return matching(pattern);
  const formatted = format === undefined ? undefined : formattedText(String(format));
  if (formatted !== undefined) return formatted;
  return fc.oneof(
    { weight: 3, arbitrary: fc.string({ minLength, maxLength }) },
    fc.string({ unit: anyCharacter, minLength, maxLength }),
  );
}

/** Undefined where the pattern is written for another engine, or says more than can be turned round. */
function matching(pattern: string): Arbitrary<Json> | undefined {
  for (const flags of ['u', '']) {
    try {
      return fc.stringMatching(new RegExp(pattern, flags), { maxLength: 200 });
    } catch {
      // The next mode may do.
    }
  }
  return undefined;
}
