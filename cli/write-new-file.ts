import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UsageError } from '../harness/usage-error.ts';

/** Writes a file that does not exist yet; never overwrites one or follows a link. */
export async function writeNewFile(path: string, text: string, mode = 0o644): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(path, 'wx', mode);
    try {
      await file.writeFile(text);
    } finally {
      await file.close();
    }
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === 'EEXIST';
    throw new UsageError({
      where: '--out',
      what: exists ? `${path} exists already` : `${path} cannot be written`,
      ...(exists ? {} : { why: (error as Error).message }),
      remedy: exists
        ? 'name another place; no file or key is ever overwritten'
        : 'name a folder that you may write to',
    });
  }
}
