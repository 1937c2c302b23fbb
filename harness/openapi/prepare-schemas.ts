import type { FuncKeywordDefinition } from 'ajv';
import { stepsOfFragment } from '../json-pointers.ts';
import type { Members } from '../model/supplied-document.ts';
import { type Changeable, isMembers, Place } from './place.ts';

/** The direction of a body; it need not have members that only exist in the other direction. */
export type Direction = 'request' | 'response';

const otherWay = { request: 'readOnly', response: 'writeOnly' } as const;

/** Maximum alternatives of one schema that Ajv compiles in one function; of more, any number may match. */
export const mostAlternatives = 200;

/** The keyword that counts validations with schemas that combine others. */
const countName = 'x-conformance-count';

const mostValidations = 200_000;

/** Validation of one value would take too long, because schemas that combine each other multiply. */
export class TooManyValidations extends Error {}

let count = 0;

export function restartCount(): void {
  count = 0;
}

/** The keyword of prepared schemas that JSON Schema does not have. */
export const countKeyword: FuncKeywordDefinition = {
  keyword: countName,
  before: '$ref',
  errors: false,
  validate: () => {
    count += 1;
    if (count > mostValidations) throw new TooManyValidations();
    return true;
  },
};

/**
 * A copy of a normalised document with schemas that Ajv reads as their author meant them. It adds no constraint, and drops
 * what Ajv would misread, such as keywords of other drafts and examples that look like schemas.
 */
export function prepareSchemas(content: Members, direction: Direction): Members {
  const root = Place.rootOf(content);
  const flag = otherWay[direction];
  const hasFlag = (schema: unknown): boolean => {
    if (!isMembers(schema)) return false;
    const { $ref: reference, allOf } = schema;
    const target = typeof reference === 'string' ? root.refer(finalOf(reference))?.value : undefined;
    return [schema, ...[allOf].flat(), target].some((part) => isMembers(part) && part[flag] === true);
  };
  const finalOf = finalReferences(root);
  // Names flagged anywhere, for flag and `required` may be in different parts of an allOf.
  const flagged = new Set<string>();
  for (const { value } of root.objects()) {
    const { properties } = value as Members;
    for (const [name, property] of Object.entries(isMembers(properties) ? properties : {}))
      if (hasFlag(property)) flagged.add(name);
  }
  const copy = structuredClone(content);
  for (const { value } of Place.rootOf(copy).objects()) {
    const schema = value as Changeable;
    for (const name of ['example', 'examples', 'default']) delete schema[name];
    // A keyword of draft 4, and a common slip, for which Ajv would refuse the whole schema.
    if (typeof schema['id'] === 'string') delete schema['id'];
    const { properties, required, $ref: reference } = schema;
    const isOptional = (name: string): boolean =>
      isMembers(properties) && Object.hasOwn(properties, name)
        ? hasFlag(properties[name])
        : flagged.has(name);
    if (typeof required === 'boolean') delete schema['required'];
    if (Array.isArray(required)) {
      const asked = required.filter((name) => !isOptional(String(name)));
      // Draft 4 requires at least one name; an empty list says nothing.
      if (asked.length > 0) schema['required'] = asked;
      else delete schema['required'];
    }
    if (typeof reference === 'string') schema['$ref'] = finalOf(reference);
    splitAlternatives(schema);
    if (schema['nullable'] === true) acceptNull(schema);
    // A reference alone adds no validation, and Ajv detects loops of references.
    const isReference = Object.keys(schema).length === 1 && Object.hasOwn(schema, '$ref');
    if (!isReference && ['$ref', 'allOf', 'anyOf', 'oneOf'].some((name) => Object.hasOwn(schema, name)))
      schema[countName] = true;
  }
  return copy;
}

/** The end of a chain of bare references; Ajv would exhaust the stack on a long chain. */
function finalReferences(root: Place): (reference: string) => string {
  const finals = new Map<string, string>();
  const nextOf = (reference: string): string | undefined => {
    const steps = reference.startsWith('#/') ? stepsOfFragment(reference.slice(1)) : undefined;
    const value = steps && root.read(...steps);
    if (!isMembers(value) || Object.keys(value).length !== 1) return undefined;
    return typeof value['$ref'] === 'string' ? value['$ref'] : undefined;
  };
  return (reference) => {
    const chain = new Set<string>();
    let last = reference;
    while (!chain.has(last)) {
      chain.add(last);
      last = finals.get(last) ?? nextOf(last) ?? last;
    }
    for (const one of chain) finals.set(one, last);
    return last;
  };
}

/** Groups alternatives, because Ajv nests the code of each one in that of the one before, which exhausts the stack. */
function splitAlternatives(schema: Changeable): void {
  for (const keyword of ['oneOf', 'anyOf']) {
    const listed = schema[keyword];
    if (!Array.isArray(listed) || listed.length <= mostAlternatives) continue;
    delete schema[keyword];
    const size = Math.ceil(Math.sqrt(listed.length));
    const groups = Array.from({ length: Math.ceil(listed.length / size) }, (_, at) => ({
      anyOf: listed.slice(at * size, (at + 1) * size),
    }));
    schema['allOf'] = [...(Array.isArray(schema['allOf']) ? schema['allOf'] : []), { anyOf: groups }];
  }
}

/** For a schema without a type, whose other keywords may refuse null. */
function acceptNull(schema: Changeable): void {
  const { nullable, readOnly, writeOnly, ...rest } = schema;
  for (const name of Object.keys(schema)) delete schema[name];
  Object.assign(schema, { readOnly, writeOnly, anyOf: [{ type: 'null' }, rest] });
}

/** A copy with OpenAPI 3.0 schemas in JSON Schema 2020-12; `nullable` remains where there is no type. */
export function normaliseDocument(content: Members, version: string): Members {
  const copy = structuredClone(content);
  for (const place of Place.rootOf(copy).objects()) {
    const schema = place.value as Changeable;
    if (version.startsWith('3.0')) translate(schema, place);
    else delete schema['nullable'];
  }
  return copy;
}

function translate(schema: Changeable, place: Place): void {
  // In 3.0 only the reference of a path has siblings.
  if (typeof schema['$ref'] === 'string' && !place.steps.at(-1)?.startsWith('/')) {
    for (const name of Object.keys(schema)) if (name !== '$ref') delete schema[name];
  }
  for (const [flag, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const exclusive = schema[flag];
    if (typeof exclusive !== 'boolean') continue;
    delete schema[flag];
    if (!exclusive || schema[bound] === undefined) continue;
    schema[flag] = schema[bound];
    delete schema[bound];
  }
  if (schema['nullable'] !== true) delete schema['nullable'];
  else if (typeof schema['type'] === 'string') {
    delete schema['nullable'];
    schema['type'] = [schema['type'], 'null'];
    if (Array.isArray(schema['enum'])) schema['enum'] = [...schema['enum'], null];
  }
}
