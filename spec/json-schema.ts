import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import type { ErrorObject, ValidateFunction } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import type addFormats from 'ajv-formats';
import { builtFolder, isBuilt, packageRoot } from './package-root.ts';

const load = createRequire(import.meta.url);

export type Validation<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: ErrorObject[] };

const compiled = new Map<string, ValidateFunction>();

/** The validator of one of our own schemas, named relative to spec/, made once; the type argument must match the schema. */
export function compileSchema<T>(file: string): (value: unknown) => Validation<T> {
  const validate = compiled.get(file) ?? builtValidator(file) ?? schemaCompiler().compile(readSchema(file));
  compiled.set(file, validate);
  return (value) =>
    validate(value) ? { ok: true, value: value as T } : { ok: false, errors: [...(validate.errors ?? [])] };
}

/** The validator from the build, because compiling costs each run a fifth of a second; undefined from source. */
function builtValidator(file: string): ValidateFunction | undefined {
  return isBuilt ? (load(join(builtFolder, validatorFile(file))) as ValidateFunction) : undefined;
}

/** The name of the file with the compiled validator of a schema. */
export function validatorFile(file: string): string {
  return file.replace(/\.json$/, '.cjs');
}

/** Reads one of our own schemas; the build writes those that derive from types. */
export function readSchema(file: string): object {
  return JSON.parse(readFileSync(resolve(packageRoot, 'spec', file), 'utf8')) as object;
}

/** The compiler of our own schemas; with `source` it keeps the code, which the build writes to files. */
export function schemaCompiler(code: { readonly source?: true } = {}): Ajv2020 {
  const formats = load('ajv-formats') as typeof addFormats;
  const ajv = new (loadAjv())({
    // Optimising takes as long as compiling, and pays in what is kept alone.
    code: { ...code, optimize: code.source === true },
    allErrors: true,
    // Unknown keywords and formats throw; strictTypes and strictTuples would only write to the console.
    strict: true,
    strictTypes: false,
    strictTuples: false,
    // Tests validate our schemas against the meta-schema, which costs 25 ms.
    meta: false,
    validateSchema: false,
  });
  formats.default(ajv);
  return ajv;
}

/** Ajv, loaded at its first use: it is slow to load, and most runs do not need it. */
export function loadAjv(): typeof Ajv2020 {
  return (load('ajv/dist/2020.js') as { readonly Ajv2020: typeof Ajv2020 }).Ajv2020;
}
