import { createHash } from 'node:crypto';
import { openRegularFile, RefusedFile } from '../read-bounded-file.ts';

/** A part of a source. */
export interface Place {
  readonly at: number;
  readonly length: number;
}

/** Bytes that are read in pieces, so that their number does not matter. */
export interface ByteSource {
  /** The bytes at places, or all in their order; each piece is overwritten when the next one is requested. */
  pieces(places?: Iterable<Place>): AsyncIterable<Buffer>;
}

const pieceLength = 256 * 1024;

function* piecesOf(size: number): Iterable<Place> {
  for (let at = 0; at < size; at += pieceLength) yield { at, length: Math.min(pieceLength, size - at) };
}

/** The bytes of a regular file, which must stay the same between two readings. */
export async function bytesOfFile(path: string, mostBytes: number): Promise<ByteSource> {
  const first = await openRegularFile(path);
  const known = await first.stat().finally(() => first.close());
  if (known.size > mostBytes)
    throw new RefusedFile('EFBIG', `it is larger than ${mostBytes / 1024 / 1024} MB`);
  return {
    async *pieces(places = piecesOf(known.size)) {
      const file = await openRegularFile(path);
      const refuseAnother = async (): Promise<void> => {
        const { ino, size, ctimeMs } = await file.stat();
        // Unlike the time of the last write, nobody can set this one back.
        if (ino !== known.ino || size !== known.size || ctimeMs !== known.ctimeMs)
          throw new Error('the file changed while it was read');
      };
      let buffer: Buffer = Buffer.alloc(0);
      try {
        await refuseAnother();
        for (const { at, length } of places) {
          if (buffer.length < length) buffer = Buffer.allocUnsafe(length);
          const { bytesRead } = await file.read(buffer, 0, length, at);
          yield buffer.subarray(0, bytesRead);
        }
        await refuseAnother();
      } finally {
        await file.close();
      }
    },
  };
}

/** SHA-256 over all bytes of a source, in hexadecimal digits. */
export async function digestOf(source: ByteSource): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of source.pieces()) hash.update(piece);
  return hash.digest('hex');
}

/** SHA-256 over the bytes of a file, in hexadecimal digits. */
export async function digestOfFile(path: string): Promise<string> {
  return digestOf(await bytesOfFile(path, Number.POSITIVE_INFINITY));
}
