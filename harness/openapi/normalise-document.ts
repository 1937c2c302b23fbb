import type { Members } from '../model/supplied-document.ts';
import { type Changeable, Place } from './place.ts';

/**
 * A copy of a document with schemas of OpenAPI 3.0 translated to JSON Schema 2020-12. `nullable` remains only in schemas of
 * 3.0 without a type.
 */
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
