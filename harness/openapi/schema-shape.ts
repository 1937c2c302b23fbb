import { isJsonMediaType } from '../evidence/answer.ts';
import { pointerOf, stepsOfFragment } from '../json-pointers.ts';
import { linearPattern } from '../linear-pattern.ts';
import type { Members } from '../model/supplied-document.ts';
import { isMembers, type Place } from './place.ts';
import { mostAlternatives } from './prepare-schemas.ts';
import { SchemaRules } from './schema-rules.ts';

const longestPattern = 80;

/** The constraints of a schema, and of the schemas that it refers to, that cannot be checked. */
export function uncheckedParts(schema: Place): readonly string[] {
  const found: string[] = [];
  for (const { value, steps } of schema.objects(true)) {
    const { pattern, patternProperties, oneOf } = value as Members;
    const patterns = Object.keys(isMembers(patternProperties) ? patternProperties : {});
    if (typeof pattern === 'string') patterns.push(pattern);
    for (const one of patterns) {
      if (linearPattern(one) !== undefined) continue;
      const shown = one.length > longestPattern ? `${one.slice(0, longestPattern)}…` : one;
      found.push(`the pattern ${shown} at ${pointerOf(steps)}`);
    }
    if (Array.isArray(oneOf) && oneOf.length > mostAlternatives)
      found.push(`that only one of the ${oneOf.length} alternatives at ${pointerOf(steps)} matches`);
  }
  return found.sort();
}

/** A value made for a schema from the values of its parts; `within` is the value of a schema inside itself. */
function fold<T>(
  schema: Place,
  within: T,
  make: (place: Place | undefined, of: (part: Place | undefined) => T) => T,
): T {
  const made = new Map<unknown, T>();
  const of = (place: Place | undefined): T => {
    const known = made.get(place?.value);
    if (known !== undefined) return known;
    made.set(place?.value, within);
    const result = make(place, of);
    made.set(place?.value, result);
    return result;
  };
  return of(schema);
}

/** Maximum validations of one value with one schema. */
const mostValidations = 20_000;

/** Whether a schema combines so many others that validating one value would not end. */
export function explodes(schema: Place): boolean {
  // A schema inside itself validates only values inside the value.
  const validations = fold<number>(schema, 1, (place, count) => {
    if (!isMembers(place?.value)) return 0;
    const parts = place.members.flatMap(([keyword, member]) => {
      if (keyword === '$ref') return [place.end];
      if (['allOf', 'anyOf', 'oneOf'].includes(keyword)) return member.members.map(([, part]) => part);
      return ['not', 'if', 'then', 'else'].includes(keyword) ? [member] : [];
    });
    return parts.reduce((total, part) => total + count(part), 1);
  });
  return validations > mostValidations;
}

/** Keywords that constrain a value; all others describe it, or hold schemas that do. */
const assertions = new Set([
  ...['type', 'enum', 'const', 'multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  ...['maxLength', 'minLength', 'pattern', 'maxItems', 'minItems', 'uniqueItems', 'contains', 'items'],
  ...['prefixItems', 'maxProperties', 'minProperties', 'required', 'properties', 'patternProperties'],
  ...['dependentRequired', 'dependentSchemas', 'propertyNames', 'unevaluatedItems', 'not', 'if', 'oneOf'],
  ...['$dynamicRef', '$recursiveRef'],
]);

/** Whether any value satisfies a schema. */
export function isOpen(schema: Place): boolean {
  // A schema that refers to itself adds no constraint to itself.
  return fold<boolean>(schema, true, (place, open) => {
    if (!isMembers(place?.value)) return place?.value === true;
    return place.members.every(([keyword, member]) => {
      if (assertions.has(keyword)) return false;
      if (keyword === '$ref') return typeof member.value !== 'string' || open(place.end);
      if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') return open(member);
      if (keyword === 'allOf') return member.items().every(open);
      return keyword !== 'anyOf' || member.items().length === 0 || member.items().some(open);
    });
  });
}

/** The members that a schema requires in each of its alternatives. */
export function requiredMembers(schema: Place): ReadonlySet<string> {
  return fold<ReadonlySet<string>>(schema, new Set(), (place, of) => {
    if (!isMembers(place?.value)) return new Set();
    const { required, $ref: reference } = place.value;
    const parts = [...(typeof reference === 'string' ? [place.end] : []), ...place.items('allOf')];
    const alternatives = ['anyOf', 'oneOf'].map((keyword) => place.items(keyword).map(of));
    return new Set([
      ...(Array.isArray(required) ? required.map(String) : []),
      ...parts.flatMap((part) => [...of(part)]),
      ...alternatives.flatMap(([first = new Set<string>(), ...others]) =>
        [...first].filter((name) => others.every((other) => other.has(name))),
      ),
    ]);
  });
}

/** How a body is declared; undefined if all its JSON media types have the schema of the expected name. */
export function otherSchema(holder: Place | undefined, expected: string): string | undefined {
  const json = (holder?.entries('content') ?? []).filter(
    ([type]) => isJsonMediaType(type) || /^\s*(?:\*|application)\/\*/.test(type),
  );
  if (json.length === 0) return 'no JSON body';
  for (const [, entry] of json) {
    const schema = entry.at('schema');
    if (schema === undefined) return 'no schema';
    const names = namesOf(schema);
    if (!names.includes(expected)) return names[0] ?? 'an inline schema';
  }
  return undefined;
}

/** All names of a schema: in references to it, of what it extends, and its title. */
function namesOf(schema: Place): readonly string[] {
  return new SchemaRules([schema]).parts.flatMap(({ $ref: reference, title }) => [
    ...(typeof reference === 'string' ? [nameIn(reference)] : []),
    ...(typeof title === 'string' ? [title] : []),
  ]);
}

/** The last step of a reference, of a file its name without the extension. */
function nameIn(reference: string): string {
  const last = reference.split(/[/#]/).at(-1) ?? '';
  const step = stepsOfFragment(`/${last}`)?.at(-1) ?? last;
  return (step.split('/').at(-1) ?? last).replace(/\.(?:ya?ml|json)$/i, '');
}
