import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Why a file is refused that could be opened. */
export class RefusedFile extends Error {
  readonly code: 'EISDIR' | 'ENOTREG' | 'EFBIG';

  constructor(code: RefusedFile['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Opens a regular file for reading. Devices, sockets and directories are refused, and named pipes too: without
 * O_NONBLOCK, opening one would wait for its writer.
 */
export async function openRegularFile(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = await file.stat();
    if (found.isDirectory()) throw new RefusedFile('EISDIR', 'it is a directory');
    if (!found.isFile()) throw new RefusedFile('ENOTREG', 'it is not a regular file');
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The bytes of a regular file with at most `mostBytes`; files that report no size, as in /proc, are bounded too. */
export async function readBoundedFile(path: string, mostBytes: number): Promise<Buffer> {
  const file = await openRegularFile(path);
  try {
    const { size } = await file.stat();
    const chunks: Buffer[] = [];
    let length = 0;
    while (size <= mostBytes) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(Math.max(4096, size - length)));
      if (bytesRead === 0) return Buffer.concat(chunks);
      length += bytesRead;
      if (length > mostBytes) break;
      chunks.push(buffer.subarray(0, bytesRead));
    }
    throw new RefusedFile('EFBIG', `it is larger than ${mostBytes / 1024 / 1024} MB`);
  } finally {
    await file.close();
  }
}
