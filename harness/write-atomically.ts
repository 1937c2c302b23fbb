import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { lstat, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** A name beside a path for what is not complete yet. It is random, so that nobody can plant a link there. */
export function partOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomBytes(8).toString('hex')}.part`);
}

/** Creates an empty incomplete file; undefined where it cannot be created. */
export function createPart(path: string): string | undefined {
  const part = partOf(path);
  try {
    writeFileSync(part, '', { flag: 'wx' });
    return part;
  } catch {
    // Whoever writes it says why.
    return undefined;
  }
}

/** Writes a file whole or not at all; replaces a link, and writes to a device or pipe such as `/dev/null`. */
export async function writeAtomically(path: string, text: string, mode = 0o666): Promise<void> {
  const there = await lstat(path).catch(() => undefined);
  if (there?.isCharacterDevice() || there?.isFIFO()) return writeFile(path, text);
  const part = partOf(path);
  try {
    await writeFile(part, text, { flag: 'wx', mode });
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

const partName = /^\.(.+)\.[0-9a-f]{16}\.part$/;

/** Removes all incomplete files of a folder that no other process writes to; for the end of a process. */
export function removeAllParts(folder: string): void {
  for (const file of readdirSync(folder))
    if (partName.test(file)) rmSync(join(folder, file), { recursive: true, force: true });
}

/** Removes what killed processes left behind of these paths of a folder. */
export async function removeParts(folder: string, names: readonly string[]): Promise<void> {
  const present = await readdir(folder).catch(() => []);
  for (const file of present) {
    const [, name = ''] = partName.exec(file) ?? [];
    if (names.includes(name)) await rm(join(folder, file), { recursive: true, force: true });
  }
}
