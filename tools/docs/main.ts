import { join } from 'node:path';
import { writeAtomically } from '../../harness/write-atomically.ts';
import { packageRoot } from '../../spec/package-root.ts';
import { generatedPages } from './generated-pages.ts';

for (const [name, text] of await generatedPages()) {
  await writeAtomically(join(packageRoot, name), text);
  process.stdout.write(`wrote ${name}\n`);
}
