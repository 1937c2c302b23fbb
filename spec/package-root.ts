import { existsSync, readFileSync } from 'node:fs';
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
