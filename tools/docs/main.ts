import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../spec/package-root.ts';
import { generatedPages } from './generated-pages.ts';

for (const [name, text] of await generatedPages()) {
  await writeFile(join(packageRoot, name), text);
  process.stdout.write(`wrote ${name}\n`);
}
