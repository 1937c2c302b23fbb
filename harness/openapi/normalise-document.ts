import type { Members } from '../model/supplied-document.ts';

/** The member of the content that holds the files that a document refers to. */
export const attachedDocuments = 'x-documents';

/** Members of OpenAPI and of schemas that map names chosen by an author, not keywords. */
const maps = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions', 'schemas', 'responses'],
  ...[
    'parameters',
    'requestBodies',
    'headers',
    'securitySchemes',
    'links',
    'callbacks',
    'pathItems',
    'paths',
  ],
  ...['webhooks', 'content', 'encoding', 'variables', attachedDocuments],
]);

/** Members that hold any value, without keywords. */
const values = new Set(['example', 'default', 'const', 'enum', 'value', 'mapping']);

/** How to read the members of a value. */
export type Reading = 'keywords' | 'names' | 'value';

/** How to read the member of this name in an object that is read `within`. */
export function readingOf(member: string, value: unknown, within: Reading): Reading {
  if (within === 'value') return 'value';
  if (within === 'names') return 'keywords';
  if (values.has(member)) return 'value';
  // A list of values in a schema, a map of Example Objects elsewhere.
  if (member === 'examples') return Array.isArray(value) ? 'value' : 'names';
  return maps.has(member) && !Array.isArray(value) ? 'names' : 'keywords';
}

/** JSON that may be changed. */
export type Changeable = Record<string, unknown>;

/** Visits every object whose members are keywords, the innermost first; a visit may change its object. */
export function visitObjects(content: unknown, visit: (object: Changeable, holder: string) => void): void {
  const visited = new Set<unknown>();
  const go = (value: unknown, reading: Reading, holder: string): void => {
    if (reading === 'value' || typeof value !== 'object' || value === null || visited.has(value)) return;
    visited.add(value);
    const isList = Array.isArray(value);
    for (const [name, member] of Object.entries(value)) {
      const inner = isList ? reading : readingOf(name, member, reading);
      go(member, inner, inner === 'names' ? name : isList || reading === 'names' ? holder : '');
    }
    if (reading === 'keywords' && !isList) visit(value as Changeable, holder);
  };
  go(content, 'keywords', '');
}

/**
 * A copy of a document with schemas of OpenAPI 3.0 translated to JSON Schema 2020-12. `nullable` remains only in schemas of
 * 3.0 without a type.
 */
export function normaliseDocument(content: Members, version: string): Members {
  const copy = structuredClone(content);
  visitObjects(copy, (schema, holder) => {
    if (!version.startsWith('3.0')) {
      delete schema['nullable'];
      return;
    }
    // In 3.0 only the reference of a path has siblings.
    if (typeof schema['$ref'] === 'string' && holder !== 'paths') {
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
  });
  return copy;
}
