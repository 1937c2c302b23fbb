import { createHash } from 'node:crypto';
import type { Exchange } from '../model/exchange.ts';
import type { ByteSource, Place } from './byte-source.ts';
import { type EvidenceRun, originOf, prefixOf, type RecordedAttempt } from './evidence-format.ts';
import { exchangeOf, type HarEntry } from './har-entry.ts';
import { openEvidence } from './stream-evidence.ts';

/** Evidence as its verification reads it: first all exchanges, then those of single attempts. */
export interface Evidence {
  readonly run: EvidenceRun;
  readonly attempts: readonly RecordedAttempt[];
  /** Number of exchanges. */
  readonly count: number;
  /** All exchanges, in the order in which they ended. */
  exchanges(): AsyncIterable<Exchange>;
  /** The exchanges whose ids begin so, by their numbers. */
  exchangesOf(prefix: string): Promise<readonly Exchange[]>;
}

/** Evidence that is exactly as the harness writes it. */
export interface ReadEvidence extends Evidence {
  /** Of the bytes. */
  readonly sha256: string;
}

/** Bytes of the exchanges of one attempt, which are evaluated together. */
const mostOfAttempt = 256 * 1024 * 1024;

/** Place of an exchange, and its number in its attempt. */
interface NumberedPlace extends Place {
  readonly number: number;
}

/**
 * Reads evidence.har to its end; throws an EvidenceFormatError where it is not as the harness writes it. The exchanges are
 * read again where they are needed, so that their size does not matter.
 */
export async function readEvidence(source: ByteSource): Promise<ReadEvidence> {
  const hash = createHash('sha256');
  const places: Place[] = [];
  const byPrefix = new Map<string, NumberedPlace[]>();
  const stream = await openEvidence(hashed(source.pieces(), hash));
  try {
    for (let read = await stream.next(); read !== undefined; read = await stream.next()) {
      const { exchange, at, length } = read;
      const place = { at, length, number: numberOf(exchange) };
      places.push(place);
      const prefix = prefixOf(exchange);
      byPrefix.set(prefix, byPrefix.get(prefix) ?? []);
      byPrefix.get(prefix)?.push(place);
    }
    const { run } = stream;
    const origin = originOf(run);
    return {
      run,
      attempts: await stream.attempts(),
      sha256: hash.digest('hex'),
      count: places.length,
      exchanges: () => exchangesAt(source, places, origin),
      exchangesOf: async (prefix) => {
        const own = [...(byPrefix.get(prefix) ?? [])].sort((a, b) => a.number - b.number);
        if (own.reduce((sum, { length }) => sum + length, 0) > mostOfAttempt)
          throw new Error(`the exchanges of ${prefix} are too large to be evaluated`);
        const exchanges: Exchange[] = [];
        for await (const exchange of exchangesAt(source, own, origin)) exchanges.push(exchange);
        return exchanges;
      },
    };
  } finally {
    await stream.close();
  }
}

async function* exchangesAt(
  source: ByteSource,
  places: readonly Place[],
  origin: string,
): AsyncIterable<Exchange> {
  for await (const text of source.texts(places)) yield exchangeOf(JSON.parse(text) as HarEntry, origin);
}

function numberOf({ id }: Exchange): number {
  return Number(id.slice(id.lastIndexOf('.') + 1));
}

async function* hashed(
  pieces: AsyncIterable<Buffer>,
  hash: ReturnType<typeof createHash>,
): AsyncIterable<Buffer> {
  for await (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
}
