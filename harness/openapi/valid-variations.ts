import type { Json } from '../model/target.ts';
import type { SchemaValidator } from './compile-schema.ts';
import { pointerOf } from './json-pointers.ts';
import { isMembers } from './place.ts';
import { type DescribedValue, describedValues, type SchemaRules } from './schema-rules.ts';

/** A valid body that differs from another one in one place, by the rules of the schema for that place. */
export interface ValidVariation {
  /** What was done, such as `without /note`. */
  readonly id: string;
  readonly value: Json;
}

/** Maximum values of one enumeration. */
const mostListed = 4;
const longestText = 20_000;

/**
 * Single changes to a valid body that its schema allows explicitly. Values for which a service may have rules outside the
 * schema do not change: texts that may be identifiers or have a format, repeated items, numbers without bounds, and flags
 * that are already set.
 */
export function validVariations(
  rules: SchemaRules,
  valid: Json,
  validate: SchemaValidator,
): readonly ValidVariation[] {
  const seen = new Set<string>([JSON.stringify(valid)]);
  return [...describedValues(rules, valid)]
    .flatMap((described) => [...variationsAt(described)])
    .filter(({ value }) => {
      const text = JSON.stringify(value);
      return !seen.has(text) && seen.add(text) && validate(value).ok;
    });
}

function* variationsAt({ rules, value, steps, name, put }: DescribedValue): Generator<ValidVariation> {
  for (const [says, other] of otherValues(rules, value)) {
    yield { id: `${name} ${says}`, value: put(other) as Json };
  }
  if (Array.isArray(value)) {
    const least = Math.max(1, ...rules.numbers('minItems'));
    if (value.length > least)
      yield { id: `${name} with fewer items`, value: put(value.slice(0, least)) as Json };
  }
  if (!isMembers(value)) return;
  for (const [member, property] of rules.properties) {
    const place = pointerOf([...steps, member]);
    if (Object.hasOwn(value, member)) {
      // The validator decides whether it may be left out.
      const { [member]: _removed, ...rest } = value;
      yield { id: `without ${place}`, value: put(rest) as Json };
    } else {
      for (const [says, other] of statedValues(property))
        yield { id: `with ${place} ${says}`, value: put({ ...value, [member]: other }) as Json };
    }
  }
  if (rules.has('additionalProperties', true)) {
    const more = put({ ...value, conformanceUnknownMember: true }) as Json;
    yield { id: `${name} with a member of no meaning`, value: more };
  }
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
