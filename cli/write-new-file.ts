import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UsageError } from '../harness/usage-error.ts';
import { writeAtomically } from '../harness/write-atomically.ts';

/** How a file is written that a flag names. */
interface Writing {
  /** The flag. */
  readonly where?: string;
  /** Whether an existing file is replaced; absent where the command never does. */
  readonly force?: boolean | undefined;
  readonly mode?: number;
}

/** Writes a file that does not exist yet; overwrites one only with `force`, and never follows a link. */
export async function writeNewFile(
  path: string,
  text: string,
  { where = '--out', force, mode = 0o666 }: Writing = {},
): Promise<void> {
  try {
    if (force === undefined) await mkdir(dirname(path), { recursive: true });
    if (force === true) await writeAtomically(path, text);
    else await writeFile(path, text, { flag: 'wx', mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw existing(path, { where, force });
    throw new UsageError({
      where,
      what: `${path} cannot be written`,
      why: (error as Error).message,
      remedy: `name a ${force === undefined ? 'folder that you may write to' : 'file that you may write'}`,
    });
  }
}

/** The mistake of naming a file that exists. */
export function existing(path: string, { where = '--file', force }: Writing): UsageError {
  return new UsageError({
    where,
    what: `${path} exists already`,
    remedy:
      force === undefined
        ? 'name another place; no file or key is ever overwritten'
        : 'name another file, or pass --force to replace it',
  });
}
