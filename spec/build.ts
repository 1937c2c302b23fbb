import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { type BuiltName, builtFile } from './built.ts';
import { readSchema, schemaCompiler, validatorFile } from './json-schema.ts';
import { packageRoot } from './package-root.ts';
import { readContract } from './read-contract.ts';
import { readRequirements } from './requirements.ts';

/** The last step of the build: what runs read of contract and requirements. */
async function write(name: BuiltName, content: unknown): Promise<void> {
  await writeFile(builtFile(name), JSON.stringify(content));
}

await write('contract', await readContract());
await write('requirements', await readRequirements());

const schemas = (await readdir(join(packageRoot, 'spec'))).filter((name) => name.endsWith('.schema.json'));
for (const file of schemas) {
  const ajv = schemaCompiler({ source: true });
  const code = standaloneCode.default(ajv, ajv.compile(readSchema(file)));
  await writeFile(new URL(validatorFile(file), import.meta.url), code);
}
