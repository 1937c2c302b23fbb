import fc, { type Arbitrary } from 'fast-check';
import type { Members } from '../model/supplied-document.ts';
import type { Json } from '../model/target.ts';
import type { SchemaValidator } from '../openapi/compile-document.ts';
import { membersOf, type Place, reach } from '../openapi/follow-references.ts';
import { pointerOf } from '../openapi/json-pointers.ts';
import { rulesOf } from '../openapi/schema-violations.ts';
import { isMembers } from '../openapi/supplied-document.ts';
import { seededRandom } from '../seeded-random.ts';
import { Draw } from './draw.ts';
import { formattedText } from './formatted-text.ts';
import { membersFrom } from './json-places.ts';

/** How often a schema may stand within itself. */
const mostNestings = 2;
/** What a list or a text may have beyond the least that it must. */
const moreItems = 4;
const moreLetters = 40;
/** Values in a row that the validator may refuse before the schema is given up. */
const mostMisses = 2_000;
/** The least size that is still made up, and the schemas that are read for one value. */
const mostMadeUp = 2_000;
const mostSchemas = 20_000;

/**
 * Values made up from a schema that depend on it and the seed alone, each of which its validator takes; none where none can
 * be made up. What the schema says beyond its plain keywords, such as `not` and `if`, is left to the validator.
 */
export function sampleSchema(
  content: Members,
  schema: Place,
  validate: SchemaValidator,
  { seed, count }: { readonly seed: number; readonly count: number },
): readonly Json[] {
  const draw = new Draw(seededRandom(seed, 'schema'));
  const values: Json[] = [];
  for (let misses = 0; values.length < count; ) {
    const value = new MadeUp(content, draw).of([schema], new Map(), new Set());
    if (value !== undefined && validate(value).ok) {
      values.push(value);
      misses = 0;
    } else if (misses === mostMisses) return [];
    else misses += 1;
  }
  return values;
}

type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/** Keywords that speak of one type only. */
const telling: ReadonlyArray<readonly [JsonType, readonly string[]]> = [
  ['object', ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties']],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems']],
  ['string', ['minLength', 'maxLength', 'pattern', 'format']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
];

/** How many times each schema stands within itself, by its place. */
type Nesting = ReadonlyMap<string, number>;

/** Makes up one value; undefined for what cannot be made up. */
class MadeUp {
  readonly #content: Members;
  readonly #draw: Draw;
  #read = 0;

  constructor(content: Members, draw: Draw) {
    this.#content = content;
    this.#draw = draw;
  }

  /** What satisfies all of the schemas; `chosen` has made its choices. */
  of(schemas: readonly Place[], nesting: Nesting, chosen: ReadonlySet<string>): Json | undefined {
    this.#read += 1;
    if (this.#read > mostSchemas || schemas.some(({ value }) => value === false)) return undefined;
    const places = uniquePlaces(schemas.flatMap((schema) => rulesOf(this.#content, schema)));
    const within = new Map(nesting);
    // A choice is made within the same value, which does not go deeper for it.
    if (chosen.size === 0)
      for (const { steps } of places) within.set(pointerOf(steps), (within.get(pointerOf(steps)) ?? 0) + 1);
    if ([...within.values()].some((count) => count > mostNestings)) return undefined;
    for (const place of places) {
      for (const keyword of ['oneOf', 'anyOf']) {
        const key = `${pointerOf(place.steps)} ${keyword}`;
        if (chosen.has(key) || !isMembers(place.value) || !Array.isArray(place.value[keyword])) continue;
        const branches = membersOf(this.#content, reach(this.#content, place, keyword));
        const more = new Set([...chosen, key]);
        return this.#firstOf(
          branches.map(
            ([, branch]) =>
              () =>
                this.of([...places, branch], within, more),
          ),
        );
      }
    }
    const rules = places.map(({ value }) => value).filter(isMembers);
    const listed = listedValues(rules);
    if (listed !== undefined) return this.#draw.of(listed);
    const types = typesOf(rules).map((type) => () => this.#ofType(type, places, rules, within));
    const examples = rules.flatMap(examplesIn);
    return this.#firstOf(examples.length === 0 ? types : [...types, () => this.#draw.of(examples)]);
  }

  /** By the first of some ways, in any order, that leads to a value. */
  #firstOf(ways: ReadonlyArray<() => Json | undefined>): Json | undefined {
    for (const way of this.#draw.shuffled(ways)) {
      const made = way();
      if (made !== undefined) return made;
    }
    return undefined;
  }

  #ofType(
    type: JsonType,
    places: readonly Place[],
    rules: readonly Members[],
    within: Nesting,
  ): Json | undefined {
    if (type === 'null') return null;
    if (type === 'boolean') return this.#draw.of([false, true]);
    if (type === 'string') return text(rules, this.#draw);
    if (type === 'array') return this.#list(places, rules, within);
    return type === 'object'
      ? this.#object(places, rules, within)
      : number(rules, type === 'integer', this.#draw);
  }

  #list(places: readonly Place[], rules: readonly Members[], within: Nesting): Json | undefined {
    const least = Math.max(0, ...numbersAt(rules, 'minItems'));
    const most = Math.min(least + moreItems, ...numbersAt(rules, 'maxItems'));
    if (least > Math.min(most, mostMadeUp)) return undefined;
    const reached = (...names: readonly string[]): readonly Place[] =>
      places.flatMap((place) => reach(this.#content, place, ...names) ?? []);
    const items = new Map<string, Json>();
    const isUnique = rules.some(({ uniqueItems }) => uniqueItems === true);
    for (let left = this.#draw.whole(least, most), at = 0; at < left; at += 1) {
      const known = reached('prefixItems', String(at));
      const item = this.of(known.length > 0 ? known : reached('items'), within, new Set());
      if (item === undefined) break;
      items.set(isUnique ? JSON.stringify(item) : String(at), item);
    }
    return items.size < least ? undefined : [...items.values()];
  }

  #object(places: readonly Place[], rules: readonly Members[], within: Nesting): Json | undefined {
    const least = Math.max(0, ...numbersAt(rules, 'minProperties'));
    if (least > mostMadeUp) return undefined;
    const required = new Set(
      rules.flatMap(({ required }) => (Array.isArray(required) ? (required as readonly string[]) : [])),
    );
    const properties = new Map<string, Place[]>([...required].map((name) => [name, []]));
    for (const place of places)
      for (const [name, property] of membersOf(this.#content, reach(this.#content, place, 'properties')))
        properties.set(name, [...(properties.get(name) ?? []), property]);
    const others = places.flatMap((place) => reach(this.#content, place, 'additionalProperties') ?? []);
    const ofOthers = others.filter(({ value }) => isMembers(value));
    const members = new Map<string, Json>();
    for (const [name, schemas] of properties) {
      const isReadOnly = schemas.some(({ value }) => isMembers(value) && value['readOnly'] === true);
      if (isReadOnly || (!required.has(name) && this.#draw.of([true, false, false, false]))) continue;
      const value = this.of(schemas.length === 0 ? ofOthers : schemas, within, new Set());
      if (value !== undefined) members.set(name, value);
      else if (required.has(name)) return undefined;
    }
    const isOpen = ofOthers.length > 0 || least > properties.size;
    for (
      let left = isOpen ? this.#draw.whole(least, Math.max(2, least)) : 0;
      members.size < left;
      left -= 1
    ) {
      const value = this.of(ofOthers, within, new Set());
      const name = this.#draw.word();
      if (value !== undefined && !properties.has(name)) members.set(name, value);
    }
    return membersFrom(members);
  }
}

function uniquePlaces(places: readonly Place[]): readonly Place[] {
  return [...new Map(places.map((place) => [pointerOf(place.steps), place])).values()];
}

/** Those of the first rule that lists any; others may exclude some of them. */
function listedValues(rules: readonly Members[]): readonly Json[] | undefined {
  for (const rule of rules) {
    if (Object.hasOwn(rule, 'const')) return [rule['const'] as Json];
    if (Array.isArray(rule['enum'])) return rule['enum'] as readonly Json[];
  }
  return undefined;
}

/** Those that any rule names, or else tells of; others may exclude some of them. */
function typesOf(rules: readonly Members[]): readonly JsonType[] {
  const named = rules.flatMap(({ type }) => [(type ?? []) as JsonType | readonly JsonType[]].flat());
  const told = telling.filter(([, keywords]) =>
    rules.some((rule) => keywords.some((keyword) => Object.hasOwn(rule, keyword))),
  );
  const types = new Set(named.length > 0 ? named : told.map(([type]) => type));
  if (types.size === 0) return ['string', 'integer', 'boolean'];
  return rules.some((rule) => rule['nullable'] === true) ? [...types, 'null'] : [...types];
}

function numbersAt(rules: readonly Members[], keyword: string): readonly number[] {
  return rules.map((rule) => rule[keyword]).filter((value) => typeof value === 'number');
}

function examplesIn({ example, examples, default: byDefault }: Members): readonly Json[] {
  const shown = [example, ...(Array.isArray(examples) ? examples : []), byDefault];
  return shown.filter((value) => value !== undefined) as readonly Json[];
}

function number(rules: readonly Members[], isInteger: boolean, draw: Draw): Json | undefined {
  const least = [...numbersAt(rules, 'minimum'), ...numbersAt(rules, 'exclusiveMinimum')];
  const most = [...numbersAt(rules, 'maximum'), ...numbersAt(rules, 'exclusiveMaximum')];
  const min = least.length > 0 ? Math.max(...least) : Math.min(-(2 ** 31), ...most.map((one) => one - 1e6));
  const max = most.length > 0 ? Math.min(...most) : Math.max(2 ** 31, min + 1e6);
  const [step] = numbersAt(rules, 'multipleOf').filter((one) => one > 0);
  if (step === undefined && !isInteger) return min + draw.fraction() * (max - min);
  const unit = step === undefined || (isInteger && !Number.isInteger(step)) ? 1 : step;
  const digits = String(unit).split('.')[1]?.length ?? 0;
  const times = draw.whole(Math.ceil(min / unit), Math.floor(max / unit));
  return Number((times * unit).toFixed(digits));
}

function text(rules: readonly Members[], draw: Draw): Json | undefined {
  const least = Math.max(0, ...numbersAt(rules, 'minLength'));
  const most = Math.min(least + moreLetters, ...numbersAt(rules, 'maxLength'));
  if (least > Math.min(most, 100 * mostMadeUp)) return undefined;
  const [pattern] = rules.map((rule) => rule['pattern']).filter((one) => typeof one === 'string');
  if (pattern !== undefined) {
    const [matching] = fc.sample(textsMatching(pattern), { seed: draw.whole(0, 2 ** 31), numRuns: 1 });
    return matching;
  }
  const [format] = rules.map((rule) => rule['format']).filter((name) => typeof name === 'string');
  const formatted = format === undefined ? undefined : formattedText(format, draw);
  const isAscii = draw.of([true, true, true, false]);
  const letter = (): string => (isAscii ? String.fromCharCode(draw.whole(32, 126)) : draw.character());
  return formatted ?? draw.list(least, most, letter).join('');
}

const byPattern = new Map<string, Arbitrary<string | undefined>>();

/** Undefined where the pattern is written for another engine, or says more than can be turned round. */
function textsMatching(pattern: string): Arbitrary<string | undefined> {
  const known = byPattern.get(pattern);
  if (known !== undefined) return known;
  let texts: Arbitrary<string | undefined> = fc.constant(undefined);
  for (const flags of ['', 'u']) {
    try {
      texts = fc.stringMatching(new RegExp(pattern, flags), { maxLength: 200 });
    } catch {
      // The other mode may do.
    }
  }
  byPattern.set(pattern, texts);
  return texts;
}
