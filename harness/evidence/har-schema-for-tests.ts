import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

/** HAR's own schema, which is written in an earlier draft and names a few keywords that are none. */
export function harSchema(name: string): ValidateFunction {
  const ajv = new Ajv({ strict: false, meta: false, validateSchema: false, allErrors: true });
  addFormats.default(ajv);
  const folder = join(dirname(createRequire(import.meta.url).resolve('har-schema/package.json')), 'lib');
  for (const file of readdirSync(folder).filter((one) => one.endsWith('.json'))) {
    const { $schema: _draft, ...schema } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    ajv.addSchema(schema);
  }
  const validate = ajv.getSchema(`${name}.json#`) ?? ajv.getSchema(`${name}.json`);
  if (validate === undefined) throw new Error(`har-schema has no ${name}`);
  return validate;
}
