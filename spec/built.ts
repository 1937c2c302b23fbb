import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from './package-root.ts';

/** True in the built program and its tools; false where tests run the source. */
export const isBuilt: boolean = import.meta.url.endsWith('.js');

/** The folder of what the build makes of the files in spec/. */
export const builtFolder: string = join(packageRoot, 'dist', 'spec');

/** What the build makes of the YAML in spec/, which would cost each thread of each run a tenth of a second. */
export type BuiltName = 'contract' | 'requirements';

/** What the build made; from source, what is read anew. */
export async function builtOr<T>(name: BuiltName, read: () => Promise<T>): Promise<T> {
  return isBuilt ? (JSON.parse(await readFile(join(builtFolder, `${name}.json`), 'utf8')) as T) : read();
}
