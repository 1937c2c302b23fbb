import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Check, IdentifiedCheck } from './check.ts';

// Compiled, this file and the checks end in .js; run from source, in .ts.
const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
const suites = fileURLToPath(new URL('../../suites/', import.meta.url));

/** Every check below suites/, in the order of their ids; the path of a file gives the id. */
export async function discoverChecks(folder: string = suites): Promise<readonly IdentifiedCheck[]> {
  const suffix = `.check${extension}`;
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith(suffix)).sort();
  return Promise.all(
    files.map(async (file) => {
      const module = (await import(pathToFileURL(join(folder, file)).href)) as { default: Check };
      const id = relative('.', file).slice(0, -suffix.length).split(sep).join('/');
      return { ...module.default, id, area: id.split('/', 1)[0] ?? id };
    }),
  );
}
