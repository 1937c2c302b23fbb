import { RefusedFile, readBoundedFile } from './read-bounded-file.ts';
import { UsageError } from './usage-error.ts';

/** Bytes of a file that people write. */
const mostBytes = 16 * 1024 * 1024;

/** Reads a file that a user names; `otherwise` is what they can do where there is none. */
export async function readTextFile(
  path: string,
  noun: string,
  otherwise: string,
  most: number = mostBytes,
): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readBoundedFile(path, most));
  } catch (error) {
    if (error instanceof RefusedFile && error.code !== 'EISDIR') {
      throw new UsageError({
        what: `the ${noun} is refused: ${error.message}`,
        where: path,
        remedy:
          error.code === 'EFBIG'
            ? `check that this is the ${noun}`
            : 'copy its content to a regular file, and name that',
      });
    }
    throw unreadable(path, noun, otherwise, (error as NodeJS.ErrnoException).code ?? '');
  }
}

function unreadable(path: string, noun: string, otherwise: string, code: string): UsageError {
  const missing = [`the ${noun} does not exist`, `check the path, or ${otherwise}`] as const;
  const forbidden = [`the ${noun} may not be read`, 'check its permissions'] as const;
  const known: Readonly<Record<string, readonly [what: string, remedy: string]>> = {
    ENOENT: missing,
    ENOTDIR: missing,
    EACCES: forbidden,
    EPERM: forbidden,
    EISDIR: [`this is a directory, not a ${noun}`, 'name the file in it'],
    ERR_ENCODING_INVALID_ENCODED_DATA: [`the ${noun} is not UTF-8`, 'save it as UTF-8'],
  };
  const [what, remedy] = known[code] ?? [`the ${noun} cannot be read (${code})`];
  return new UsageError({ what, where: path, ...(remedy && { remedy }) });
}
