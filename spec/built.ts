import { readFile } from 'node:fs/promises';

// Compiled, this file ends in .js; run from source, in .ts.
const isBuilt = import.meta.url.endsWith('.js');

/** What the build makes of the YAML in spec/, which would cost each thread of each run a tenth of a second. */
export type BuiltName = 'contract' | 'requirements';

/** The place that the build writes to and that built code reads from. */
export function builtFile(name: BuiltName): URL {
  return new URL(`${name}.json`, import.meta.url);
}

/** What the build made; from source, what is read anew. */
export async function builtOr<T>(name: BuiltName, read: () => Promise<T>): Promise<T> {
  return isBuilt ? (JSON.parse(await readFile(builtFile(name), 'utf8')) as T) : read();
}
