import type { SchemaValidator } from './compile-schema.ts';
import { pointerOf } from './json-pointers.ts';
import { isMembers } from './place.ts';
import { type DescribedValue, describedValues, type SchemaRules } from './schema-rules.ts';

/** A body that differs from a valid one in one place, and violates the schema there. */
export interface SchemaViolation {
  /** What was done to the valid body, such as `without /items/0/quantity`. */
  readonly id: string;
  readonly body: unknown;
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
): readonly SchemaViolation[] {
  const queues = new Map<Kind, SchemaViolation[]>(turns.map((kind) => [kind, []]));
  for (const described of describedValues(rules, valid)) {
    for (const { kind, id, body } of changesAt(described)) {
      if (!validate(body).ok) queues.get(kind)?.push({ id, body });
    }
  }
  const chosen = new Map<string, SchemaViolation>();
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

function* changesAt(described: DescribedValue): Generator<SchemaViolation & { readonly kind: Kind }> {
  const { rules, value, steps, name, put } = described;
  for (const [kind, says, other] of otherValues(rules, value))
    yield { kind, id: `${name} ${says}`, body: put(other) };
  if (!isMembers(value)) return;
  for (const member of Object.keys(value)) {
    const { [member]: _removed, ...rest } = value;
    yield { kind: 'missing', id: `without ${pointerOf([...steps, member])}`, body: put(rest) };
  }
  for (const [member, property] of rules.properties) {
    // Only the service sets members that are read-only.
    if (Object.hasOwn(value, member) || property.parts.length === 0 || property.has('readOnly', true))
      continue;
    const added = (says: string, other: unknown) => ({
      kind: 'absent' as const,
      id: `with ${pointerOf([...steps, member])} ${says}`,
      body: put({ ...value, [member]: other }),
    });
    yield added('that is not listed', unlisted);
    yield added('of another type', property.type === 'object' ? ['conformance'] : { not: 'of this type' });
    yield added('as null', null);
  }
  const body = put({ ...value, conformanceUnknownMember: true });
  yield { kind: 'extra', id: `${name} with a member of no meaning`, body };
}

type OtherValue = readonly [kind: Kind, says: string, value: unknown];

/** Values that one of the rules is likely to refuse. */
function* otherValues(rules: SchemaRules, value: unknown): Generator<OtherValue> {
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
      return [['as an object', { not: 'a text' }], ['as a number', 7], aTrue];
    case 'number':
      return [aText, inQuotes, aTrue];
    case 'boolean':
      return [aText, inQuotes];
    default:
      return [['as an array', ['conformance']], aText];
  }
}

const longestText = 20_000;
const mostItems = 500;

/** Values just beyond each bound of the rules. */
function* beyondBounds(rules: SchemaRules, value: unknown): Generator<OtherValue> {
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
