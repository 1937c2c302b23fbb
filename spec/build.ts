import { writeFile } from 'node:fs/promises';
import { type BuiltName, builtFile } from './built.ts';
import { readContract } from './read-contract.ts';
import { readRequirements } from './requirements.ts';

/** The last step of the build: what runs read of contract and requirements. */
async function write(name: BuiltName, content: unknown): Promise<void> {
  await writeFile(builtFile(name), JSON.stringify(content));
}

await write('contract', await readContract());
await write('requirements', await readRequirements());
