import type { Members } from '../model/supplied-document.ts';
import type { CompiledDocument, SchemaValidator } from './compile-document.ts';
import { follow, membersOf, type Place, reach } from './follow-references.ts';
import { pointerOf } from './json-pointers.ts';
import { isMembers } from './supplied-document.ts';

/** A body that differs from a valid one in one place, and violates the schema there. */
export interface SchemaViolation {
  /** What was done to the valid body, such as `without /items/0/quantity`. */
  readonly id: string;
  readonly body: unknown;
}

type Kind = 'missing' | 'type' | 'null' | 'values' | 'size' | 'absent' | 'extra';

interface Change extends SchemaViolation {
  readonly kind: Kind;
}

/** The order in which kinds take turns, so that a large schema is not tried for one kind alone. */
const turns: readonly Kind[] = ['missing', 'type', 'values', 'size', 'null', 'absent', 'extra'];

const deepest = 6;
const longestText = 20_000;
const mostItems = 500;

/**
 * Single changes that make a valid body violate its schema, `limit` at the most and always the same ones. A change
 * counts only if the schema's own validator refuses the outcome. Formats are left alone: for OpenAPI 3.1 they annotate.
 */
export function schemaViolations(
  document: CompiledDocument,
  schema: Place,
  valid: unknown,
  validate: SchemaValidator,
  limit: number,
): readonly SchemaViolation[] {
  const queues = new Map<Kind, Change[]>(turns.map((kind) => [kind, []]));
  for (const change of changesAt(document.content, schema, valid, [], (value) => value, 0)) {
    if (!validate(change.body).ok) queues.get(change.kind)?.push(change);
  }
  const chosen: SchemaViolation[] = [];
  const ids = new Set<string>();
  while (chosen.length < limit && [...queues.values()].some((queue) => queue.length > 0)) {
    for (const kind of turns) {
      const change = queues.get(kind)?.shift();
      if (change === undefined || chosen.length >= limit || ids.has(change.id)) continue;
      ids.add(change.id);
      chosen.push({ id: change.id, body: change.body });
    }
  }
  return chosen;
}

/** Changes at one place and below; `put` gives the whole body with another value at the place. */
function* changesAt(
  content: Members,
  schema: Place | undefined,
  value: unknown,
  steps: readonly string[],
  put: (value: unknown) => unknown,
  depth: number,
): Generator<Change> {
  const name = steps.length === 0 ? 'the body' : pointerOf(steps);
  const rules = rulesOf(content, schema);
  for (const changed of otherValues(rules, value)) {
    yield { kind: changed.kind, id: `${name} ${changed.says}`, body: put(changed.value) };
  }
  if (depth >= deepest) return;
  if (Array.isArray(value)) {
    const [first, ...others] = value;
    if (first === undefined) return;
    for (const items of rules.flatMap((rule) => reach(content, rule, 'items') ?? [])) {
      const putItem = (item: unknown): unknown => put([item, ...others]);
      yield* changesAt(content, items, first, [...steps, '0'], putItem, depth + 1);
    }
    return;
  }
  if (!isMembers(value)) return;
  for (const member of Object.keys(value)) {
    const { [member]: removed, ...rest } = value;
    const path = pointerOf([...steps, member]);
    yield { kind: 'missing', id: `without ${path}`, body: put(rest) };
    const putMember = (changed: unknown): unknown => put({ ...value, [member]: changed });
    for (const property of rules.flatMap((rule) => reach(content, rule, 'properties', member) ?? [])) {
      yield* changesAt(content, property, removed, [...steps, member], putMember, depth + 1);
    }
  }
  for (const [member, property] of absentMembers(content, rules, value)) {
    const path = pointerOf([...steps, member]);
    const putMember = (added: unknown): unknown => put({ ...value, [member]: added });
    yield { kind: 'absent', id: `with ${path} that is not listed`, body: putMember(unlisted) };
    yield { kind: 'absent', id: `with ${path} of another type`, body: putMember(otherTypeThan(property)) };
    yield { kind: 'absent', id: `with ${path} as null`, body: putMember(null) };
  }
  yield {
    kind: 'extra',
    id: `${name} with a member of no meaning`,
    body: put({ ...value, conformanceUnknownMember: true }),
  };
}

/** A schema and all that it refers to or extends, alternatives left aside. */
export function rulesOf(
  content: Members,
  schema: Place | undefined,
  visited: Set<unknown> = new Set(),
): readonly Place[] {
  const found = follow(content, schema);
  if (schema === undefined || found === undefined || visited.has(found.value) || !isMembers(found.value))
    return [];
  visited.add(found.value);
  const parts = membersOf(
    content,
    Object.hasOwn(found.value, 'allOf') ? reach(content, found, 'allOf') : undefined,
  );
  const siblings = found.value === schema.value ? [] : [schema];
  return [found, ...siblings, ...parts.flatMap(([, part]) => rulesOf(content, part, visited))];
}

/** Members that the schema describes and the value does without; what only the service sets is left out. */
function absentMembers(
  content: Members,
  rules: readonly Place[],
  value: Members,
): ReadonlyArray<readonly [string, unknown]> {
  return rules
    .flatMap((rule) => membersOf(content, reach(content, rule, 'properties')))
    .map(([member, property]) => [member, follow(content, property)?.value] as const)
    .filter(([member, property]) => {
      return !Object.hasOwn(value, member) && isMembers(property) && property['readOnly'] !== true;
    });
}

const unlisted = 'conformance-unlisted-value';

function otherTypeThan(property: unknown): unknown {
  const { type } = isMembers(property) ? property : {};
  return type === 'object' ? ['conformance'] : { not: 'of this type' };
}

interface OtherValue {
  readonly kind: Kind;
  readonly says: string;
  readonly value: unknown;
}

/** Values that one of the rules is likely to refuse. */
function otherValues(rules: readonly Place[], value: unknown): readonly OtherValue[] {
  const others: OtherValue[] = [...otherTypes(value)];
  for (const { value: rule } of rules) {
    if (!isMembers(rule)) continue;
    if (typeof value === 'string') others.push(...otherTexts(rule, value));
    if (typeof value === 'number') others.push(...otherNumbers(rule));
    if (Array.isArray(value)) others.push(...otherLists(rule, value));
    if (Object.hasOwn(rule, 'enum') || Object.hasOwn(rule, 'const')) {
      const other = typeof value === 'number' ? 987_654_321 : unlisted;
      others.push({ kind: 'values', says: 'with a value that is not listed', value: other });
    }
  }
  return others;
}

/** Values of other types: one that no reader would turn into the right one, and those that a lenient reader would. */
function otherTypes(value: unknown): readonly OtherValue[] {
  const none: OtherValue = { kind: 'null', says: 'as null', value: null };
  const as = (type: string, other: unknown): OtherValue => ({
    kind: 'type',
    says: `as ${type}`,
    value: other,
  });
  if (Array.isArray(value)) return [as('an object', { not: 'a list' }), as('a text', 'conformance'), none];
  switch (typeof value) {
    case 'string':
      return [as('an object', { not: 'a text' }), as('a number', 7), as('true', true), none];
    case 'number':
      return [as('a text', 'conformance'), as('itself in quotes', String(value)), as('true', true), none];
    case 'boolean':
      return [as('a text', 'conformance'), as('itself in quotes', String(value)), none];
    default:
      return [as('an array', ['conformance']), as('a text', 'conformance'), none];
  }
}

function otherTexts(rule: Members, value: string): readonly OtherValue[] {
  const { minLength, maxLength, pattern } = rule;
  const others: OtherValue[] = [];
  if (typeof minLength === 'number' && minLength > 0) {
    others.push({ kind: 'size', says: 'too short', value: value.slice(0, minLength - 1) });
  }
  if (typeof maxLength === 'number' && maxLength < longestText) {
    others.push({ kind: 'size', says: 'too long', value: value.padEnd(maxLength + 1, 'a') });
  }
  if (typeof pattern === 'string') {
    for (const text of ['conformance no match', '0', ' ', '\u2603']) {
      others.push({ kind: 'values', says: 'against its pattern', value: text });
    }
  }
  return others;
}

function otherNumbers(rule: Members): readonly OtherValue[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, type } = rule;
  const others: OtherValue[] = [];
  const add = (says: string, value: number): void => {
    if (Number.isFinite(value)) others.push({ kind: 'size', says, value });
  };
  if (typeof minimum === 'number') add('too small', minimum - 1);
  if (typeof minimum === 'number' && minimum > 0) add('below nought', -1);
  if (typeof exclusiveMinimum === 'number') add('too small', exclusiveMinimum);
  if (typeof maximum === 'number') add('too large', maximum + 1);
  if (typeof exclusiveMaximum === 'number') add('too large', exclusiveMaximum);
  const base = typeof minimum === 'number' ? minimum : 0;
  if (type === 'integer') others.push({ kind: 'values', says: 'with a fraction', value: base + 0.5 });
  if (typeof multipleOf === 'number') {
    others.push({ kind: 'values', says: 'between two steps', value: base + multipleOf * 1.5 });
  }
  return others;
}

function otherLists(rule: Members, value: readonly unknown[]): readonly OtherValue[] {
  const { minItems, maxItems, uniqueItems } = rule;
  const others: OtherValue[] = [];
  if (typeof minItems === 'number' && minItems > 0) {
    others.push({ kind: 'size', says: 'with too few items', value: value.slice(0, minItems - 1) });
  }
  if (typeof maxItems === 'number' && maxItems < mostItems && value.length > 0) {
    const filled = Array.from({ length: maxItems + 1 }, (_none, at) => value[at % value.length]);
    others.push({ kind: 'size', says: 'with too many items', value: filled });
  }
  if (uniqueItems === true && value.length > 0) {
    others.push({ kind: 'values', says: 'with an item twice', value: [...value, value[0]] });
  }
  return others;
}
