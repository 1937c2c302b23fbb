import type { FileHandle } from 'node:fs/promises';
import { openRegularFile, RefusedFile } from '../read-bounded-file.ts';

/** A part of a source. */
export interface Place {
  readonly at: number;
  readonly length: number;
}

/** Bytes that are read in pieces, so that their number does not matter. */
export interface ByteSource {
  /** All bytes in their order; a piece is overwritten when the next one is requested. */
  pieces(): AsyncIterable<Buffer>;
  /** The texts at places, in UTF-8. */
  texts(places: readonly Place[]): AsyncIterable<string>;
}

/** Bytes of one piece. */
const pieceLength = 256 * 1024;

/** The bytes of a text. */
export function bytesOf(text: string): ByteSource {
  const bytes = Buffer.from(text);
  return {
    async *pieces() {
      yield bytes;
    },
    async *texts(places) {
      for (const { at, length } of places) yield bytes.toString('utf8', at, at + length);
    },
  };
}

/** The bytes of a regular file, which must stay the same between two readings. */
export async function bytesOfFile(path: string, mostBytes: number): Promise<ByteSource> {
  const first = await openRegularFile(path);
  const known = await first.stat().finally(() => first.close());
  if (known.size > mostBytes)
    throw new RefusedFile('EFBIG', `it is larger than ${mostBytes / 1024 / 1024} MB`);
  const refuseAnother = async (file: FileHandle): Promise<void> => {
    const { ino, size, mtimeMs } = await file.stat();
    if (ino !== known.ino || size !== known.size || mtimeMs !== known.mtimeMs)
      throw new Error('the file changed while it was read');
  };
  return {
    async *pieces() {
      const file = await openRegularFile(path);
      try {
        await refuseAnother(file);
        const piece = Buffer.allocUnsafe(pieceLength);
        for (let at = 0; at < known.size; ) {
          const { bytesRead } = await file.read(piece, 0, pieceLength, at);
          if (bytesRead === 0) break;
          at += bytesRead;
          yield piece.subarray(0, bytesRead);
        }
        await refuseAnother(file);
      } finally {
        await file.close();
      }
    },
    async *texts(places) {
      const file = await openRegularFile(path);
      try {
        const longest = places.reduce((most, { length }) => Math.max(most, length), 0);
        const bytes = Buffer.allocUnsafe(longest);
        for (const { at, length } of places) {
          await file.read(bytes, 0, length, at);
          yield bytes.toString('utf8', 0, length);
        }
        await refuseAnother(file);
      } finally {
        await file.close();
      }
    },
  };
}
