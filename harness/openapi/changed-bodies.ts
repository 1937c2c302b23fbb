import { pointerOf, type Steps } from '../json-pointers.ts';
import type { Json } from '../model/target.ts';
import type { SchemaValidator } from './compile-schema.ts';
import { isMembers } from './place.ts';
import type { SchemaRules } from './schema-rules.ts';

/** A body that differs from a valid one in one place. */
export interface ChangedBody {
  /** What was done to the valid body, such as `without /items/0/quantity`. */
  readonly id: string;
  readonly value: Json;
}

const longestText = 20_000;
const mostItems = 500;
/** Maximum values of one enumeration. */
const mostListed = 4;
const deepest = 6;

/** A value within a valid body for which the schema has rules; `put` gives the whole body with another value here. */
interface Described {
  readonly rules: SchemaRules;
  readonly value: unknown;
  readonly steps: Steps;
  readonly put: (value: unknown) => unknown;
}

/** A body and the values in it that its schema describes, with the first item of each list. */
function* describedValues(
  rules: SchemaRules,
  value: unknown,
  steps: Steps = [],
  put: Described['put'] = (whole) => whole,
): Generator<Described> {
  yield { rules, value, steps, put };
  if (steps.length >= deepest || typeof value !== 'object' || value === null) return;
  const isList = Array.isArray(value);
  const { properties, items } = rules;
  for (const [name, member] of Object.entries(value).slice(0, isList ? 1 : undefined)) {
    const inner = isList ? items : properties.get(name);
    const within = (other: unknown): unknown =>
      put(isList ? value.with(0, other) : { ...value, [name]: other });
    if (inner !== undefined) yield* describedValues(inner, member, [...steps, name], within);
  }
}

function changed({ steps, put }: Described, says: string, other: unknown): ChangedBody {
  return { id: `${steps.length === 0 ? 'the body' : pointerOf(steps)} ${says}`, value: put(other) as Json };
}

function without({ value, steps, put }: Described, member: string): ChangedBody {
  const { [member]: _removed, ...rest } = value as Record<string, unknown>;
  return { id: `without ${pointerOf([...steps, member])}`, value: put(rest) as Json };
}

function withMember(described: Described, member: string, says: string, added: unknown): ChangedBody {
  const { value, steps, put } = described;
  const other = { ...(value as object), [member]: added };
  return { id: `with ${pointerOf([...steps, member])} ${says}`, value: put(other) as Json };
}

function withUnknownMember(described: Described): ChangedBody {
  const other = { ...(described.value as object), conformanceUnknownMember: true };
  return changed(described, 'with a member of no meaning', other);
}

/** Kinds take turns in this order, so that one kind alone does not use up the limit for a large schema. */
const turns = ['missing', 'type', 'values', 'size', 'null', 'absent', 'extra'] as const;

type Kind = (typeof turns)[number];

/**
 * At most `limit` single changes, always the same ones, that make a valid body violate its schema. The schema's validator
 * must refuse the changed body. Formats do not count, because they only annotate in OpenAPI 3.1.
 */
export function schemaViolations(
  rules: SchemaRules,
  valid: unknown,
  validate: SchemaValidator,
  limit: number,
): readonly ChangedBody[] {
  const queues = new Map<Kind, ChangedBody[]>(turns.map((kind) => [kind, []]));
  for (const described of describedValues(rules, valid)) {
    for (const [kind, change] of violationsAt(described))
      if (!validate(change.value).ok) queues.get(kind)?.push(change);
  }
  const chosen = new Map<string, ChangedBody>();
  while (chosen.size < limit && [...queues.values()].some((queue) => queue.length > 0)) {
    for (const kind of turns) {
      const change = queues.get(kind)?.shift();
      if (change !== undefined && chosen.size < limit && !chosen.has(change.id))
        chosen.set(change.id, change);
    }
  }
  return [...chosen.values()];
}

const unlisted = 'conformance-unlisted-value';

function* violationsAt(described: Described): Generator<readonly [Kind, ChangedBody]> {
  const { rules, value } = described;
  for (const [kind, says, other] of wrongValues(rules, value)) yield [kind, changed(described, says, other)];
  if (!isMembers(value)) return;
  for (const member of Object.keys(value)) yield ['missing', without(described, member)];
  for (const [member, property] of rules.properties) {
    // Only the service sets members that are read-only.
    if (Object.hasOwn(value, member) || property.parts.length === 0 || property.has('readOnly', true))
      continue;
    const otherType = property.type === 'object' ? ['conformance'] : { not: 'of this type' };
    yield ['absent', withMember(described, member, 'that is not listed', unlisted)];
    yield ['absent', withMember(described, member, 'of another type', otherType)];
    yield ['absent', withMember(described, member, 'as null', null)];
  }
  yield ['extra', withUnknownMember(described)];
}

type WrongValue = readonly [kind: Kind, says: string, value: unknown];

/** Values that one of the rules is likely to refuse. */
function* wrongValues(rules: SchemaRules, value: unknown): Generator<WrongValue> {
  for (const [says, other] of otherTypes(value)) yield ['type', says, other];
  yield ['null', 'as null', null];
  if (!Array.isArray(value) || value.length > 0) yield* beyondBounds(rules, value);
  if (typeof value === 'string' && rules.all('pattern').length > 0) {
    for (const text of ['conformance no match', '0', ' ', '\u2603'])
      yield ['values', 'against its pattern', text];
  }
  if (typeof value === 'number' && rules.has('type', 'integer'))
    yield ['values', 'with a fraction', lowest(rules) + 0.5];
  if (Array.isArray(value) && value.length > 0 && rules.has('uniqueItems', true))
    yield ['values', 'with an item twice', [...value, value[0]]];
  if (rules.all('enum').length + rules.all('const').length > 0) {
    const other = typeof value === 'number' ? 987_654_321 : unlisted;
    yield ['values', 'with a value that is not listed', other];
  }
}

/** Values of other types: one that no parser converts, and those that a lenient parser does. */
function otherTypes(value: unknown): ReadonlyArray<readonly [says: string, value: unknown]> {
  const aText = ['as a text', 'conformance'] as const;
  const inQuotes = ['as itself in quotes', String(value)] as const;
  const aTrue = ['as true', true] as const;
  if (Array.isArray(value)) return [['as an object', { not: 'a list' }], aText];
  switch (typeof value) {
    case 'string':
      return [['as an object', { not: 'a text' }], ['as a number', 7], aTrue, ['in a list', [value]]];
    case 'number':
      return [aText, inQuotes, aTrue];
    case 'boolean':
      return [aText, inQuotes];
    default:
      return [['as an array', ['conformance']], aText];
  }
}

/** Values just beyond each bound of the rules. */
function* beyondBounds(rules: SchemaRules, value: unknown): Generator<WrongValue> {
  const bounds = (keyword: string): readonly number[] => rules.numbers(keyword).filter(Number.isFinite);
  if (typeof value === 'string') {
    for (const least of bounds('minLength'))
      if (least > 0) yield ['size', 'too short', value.slice(0, least - 1)];
    for (const most of bounds('maxLength'))
      if (most < longestText) yield ['size', 'too long', value.padEnd(most + 1, 'a')];
  }
  if (typeof value === 'number') {
    for (const least of bounds('minimum')) yield ['size', 'too small', least - 1];
    for (const least of bounds('minimum')) if (least > 0) yield ['size', 'below nought', -1];
    for (const least of bounds('exclusiveMinimum')) yield ['size', 'too small', least];
    for (const most of bounds('maximum')) yield ['size', 'too large', most + 1];
    for (const most of bounds('exclusiveMaximum')) yield ['size', 'too large', most];
    for (const step of bounds('multipleOf'))
      yield ['values', 'between two steps', lowest(rules) + step * 1.5];
  }
  if (Array.isArray(value)) {
    for (const least of bounds('minItems'))
      if (least > 0) yield ['size', 'with too few items', value.slice(0, least - 1)];
    for (const most of bounds('maxItems')) {
      if (most >= mostItems) continue;
      const items = Array.from({ length: most + 1 }, (_none, at): unknown => value[at % value.length]);
      yield ['size', 'with too many items', items];
    }
  }
}

/** The highest minimum of the rules, or nought. */
function lowest(rules: SchemaRules): number {
  const least = Math.max(...rules.numbers('minimum'));
  return Number.isFinite(least) ? least : 0;
}

/**
 * Single changes to a valid body that its schema allows explicitly. Values for which a service may have rules outside the
 * schema do not change: texts that may be identifiers or have a format, repeated items, numbers without bounds, and flags
 * that are already set.
 */
export function validVariations(
  rules: SchemaRules,
  valid: Json,
  validate: SchemaValidator,
): readonly ChangedBody[] {
  const seen = new Set<string>([JSON.stringify(valid)]);
  return [...describedValues(rules, valid)]
    .flatMap((described) => [...variationsAt(described)])
    .filter(({ value }) => {
      const text = JSON.stringify(value);
      return !seen.has(text) && seen.add(text) && validate(value).ok;
    });
}

function* variationsAt(described: Described): Generator<ChangedBody> {
  const { rules, value } = described;
  for (const [says, other] of otherValues(rules, value)) yield changed(described, says, other);
  if (Array.isArray(value)) {
    const least = Math.max(1, ...rules.numbers('minItems'));
    if (value.length > least) yield changed(described, 'with fewer items', value.slice(0, least));
  }
  if (!isMembers(value)) return;
  for (const [member, property] of rules.properties) {
    // The validator decides whether it may be left out.
    if (Object.hasOwn(value, member)) yield without(described, member);
    else for (const [says, other] of statedValues(property)) yield withMember(described, member, says, other);
  }
  if (rules.has('additionalProperties', true)) yield withUnknownMember(described);
}

type OtherValue = readonly [says: string, value: unknown];

function* otherValues(rules: SchemaRules, value: unknown): Generator<OtherValue> {
  if (value !== null && rules.allowsNull) yield ['as null', null];
  if (typeof value === 'number') {
    for (const least of rules.numbers('minimum')) yield ['at its least', least];
    for (const most of rules.numbers('maximum')) yield ['at its most', most];
  }
  if (typeof value === 'string') yield* otherLengths(rules, value);
  for (const listed of listedIn(rules)) yield [`as ${JSON.stringify(listed)}`, listed];
}

function listedIn(rules: SchemaRules): readonly unknown[] {
  return rules.all('enum').flatMap((listed) => (Array.isArray(listed) ? listed.slice(-mostListed) : []));
}

/** Only for prose: a text without spaces may be a name, which would mean another thing if it were longer. */
function* otherLengths(rules: SchemaRules, value: string): Generator<OtherValue> {
  const isProse = /\p{L} \p{L}/u.test(value);
  const bound = ['format', 'pattern', 'enum', 'const'].flatMap((keyword) => rules.all(keyword));
  if (!isProse || bound.length > 0) return;
  for (const most of rules.numbers('maxLength').filter((length) => length <= longestText)) {
    const longer = `${value} `.repeat(Math.ceil(most / value.length)).slice(0, most);
    yield ['at its longest', longer.replace(/\s$/, 'a')];
  }
  for (const least of rules.numbers('minLength').filter((length) => length > 0))
    yield ['at its shortest', value.slice(0, least)];
}

/** Values that the schema states for an absent member. */
function* statedValues(rules: SchemaRules): Generator<OtherValue> {
  if (rules.has('readOnly', true) || rules.has('deprecated', true)) return;
  const stated = [...rules.all('const'), ...listedIn(rules), ...rules.all('default')];
  // An absent flag mostly means false; true may depend on other members.
  if (rules.type === 'boolean') stated.push(false);
  for (const value of stated) yield [`as ${JSON.stringify(value)}`, value];
  // An example of a text may name something that the target does not have.
  const shown = [...rules.all('example'), ...rules.all('examples').flat()].find(
    (value) => typeof value === 'number' || typeof value === 'boolean',
  );
  if (shown !== undefined) yield ['as in its example', shown];
}
