import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../spec/package-root.ts';
import { generatedPages } from './generated-pages.ts';

for (const [name, text] of await generatedPages()) {
  await writeFile(join(packageRoot, 'docs', name), text);
  process.stdout.write(`wrote docs/${name}\n`);
}
