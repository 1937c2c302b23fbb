import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The nearest folder at or above `start` that holds this package; throws where there is none. */
export function findPackageRoot(start: string): string {
  for (let folder = start; ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest) && nameIn(manifest) === 'commerce-conformance') return folder;
    if (dirname(folder) === folder) throw new Error(`no package commerce-conformance at or above ${start}`);
  }
}

function nameIn(manifest: string): unknown {
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { name?: unknown }).name;
}

/** Absolute folder of this package, the same from source and from dist/. */
export const packageRoot: string = findPackageRoot(dirname(fileURLToPath(import.meta.url)));

/** True in the built program and its tools; false where tests run the source. */
export const isBuilt: boolean = import.meta.url.endsWith('.js');

/** The folder with the files that the build makes from spec/. */
export const builtFolder: string = join(packageRoot, 'dist', 'spec');

/** JSON that the build makes from YAML in spec/, because parsing costs each thread a tenth of a second. */
export type BuiltName = 'contract' | 'requirements';

/** The content of a file of the build; without a build, the result of `read`. */
export async function builtOr<T>(name: BuiltName, read: () => Promise<T>): Promise<T> {
  return isBuilt ? (JSON.parse(await readFile(join(builtFolder, `${name}.json`), 'utf8')) as T) : read();
}
