import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { packageRoot } from './package-root.ts';

/** The value with its type, or all that is wrong with it. */
export type Validation<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: ErrorObject[] };

/** Compiles one of our own schemas, named relative to spec/; the type argument must match the schema. */
export function compileSchema<T>(file: string): (value: unknown) => Validation<T> {
  const ajv = new Ajv2020({
    allErrors: true,
    // Unknown keywords and formats throw; strictTypes and strictTuples would only write to the console.
    strict: true,
    strictTypes: false,
    strictTuples: false,
    // Tests hold our schemas against the meta-schema; doing it at each start would cost 25 ms.
    meta: false,
    validateSchema: false,
  });
  addFormats.default(ajv);
  const schema = JSON.parse(readFileSync(resolve(packageRoot, 'spec', file), 'utf8')) as object;
  const validate = ajv.compile<T>(schema);
  return (value) =>
    validate(value) ? { ok: true, value } : { ok: false, errors: [...(validate.errors ?? [])] };
}
