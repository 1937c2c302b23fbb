import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { readSchema, schemaCompiler, validatorFile } from '../../spec/json-schema.ts';
import { type BuiltName, builtFolder, packageRoot } from '../../spec/package-root.ts';
import { readContract } from '../../spec/read-contract.ts';
import { readRequirements } from '../../spec/requirements.ts';
import { setup as writeSchemas } from './write-schemas.ts';

/** The last step of the build: writes schemas, and contract, requirements and validators in the form that the program reads. */
await mkdir(builtFolder, { recursive: true });
await write('contract', await readContract());
await write('requirements', await readRequirements());
writeSchemas();

const schemas = (await readdir(join(packageRoot, 'spec'))).filter((name) => name.endsWith('.schema.json'));
for (const file of schemas) {
  const ajv = schemaCompiler({ source: true });
  const code = standaloneCode.default(ajv, ajv.compile(readSchema(file)));
  await writeFile(join(builtFolder, validatorFile(file)), code);
}

function write(name: BuiltName, content: unknown): Promise<void> {
  return writeFile(join(builtFolder, `${name}.json`), JSON.stringify(content));
}
