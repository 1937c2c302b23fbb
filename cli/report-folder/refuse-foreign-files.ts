import { join } from 'node:path';
import { openRegularFile } from '../../harness/read-bounded-file.ts';
import { UsageError } from '../../harness/usage-error.ts';

/** Bytes in which each of our files names itself. */
const headBytes = 64 * 1024;

/** Throws where a file that is about to be replaced was not written by commerce-conformance. */
export async function refuseForeignFiles(
  folder: string,
  names: readonly string[],
  where: string,
): Promise<void> {
  for (const name of names) {
    const path = join(folder, name);
    if (await isReplaceable(path)) continue;
    throw new UsageError({
      where,
      what: `${path} would be replaced, and commerce-conformance did not write it`,
      remedy: 'name another folder, or move the file',
    });
  }
}

async function isReplaceable(path: string): Promise<boolean> {
  try {
    const file = await openRegularFile(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes));
      // A certificate is an envelope whose content is encoded.
      return bytesRead === 0 || /conformance|in-toto/i.test(buffer.toString('latin1', 0, bytesRead));
    } finally {
      await file.close();
    }
  } catch (error) {
    // A directory in its place is not replaced: removing it fails.
    return ['ENOENT', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
  }
}
