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
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new UsageError({
        what: `the ${noun} does not exist`,
        where: path,
        remedy: `check the path, or ${otherwise}`,
      });
    case 'EISDIR':
      return new UsageError({
        what: `this is a directory, not a ${noun}`,
        where: path,
        remedy: 'name the file in it',
      });
    case 'EACCES':
    case 'EPERM':
      return new UsageError({
        what: `the ${noun} may not be read`,
        where: path,
        remedy: 'check its permissions',
      });
    case 'ERR_ENCODING_INVALID_ENCODED_DATA':
      return new UsageError({
        what: `the ${noun} is not UTF-8`,
        where: path,
        remedy: 'save it as UTF-8',
      });
    default:
      return new UsageError({ what: `the ${noun} cannot be read (${code})`, where: path });
  }
}
