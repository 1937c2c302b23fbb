import { createHash } from 'node:crypto';
import type { Exchange } from '../model/exchange.ts';
import type { ByteSource, Place } from './byte-source.ts';
import {
  type EvidenceLog,
  type EvidenceRun,
  originOf,
  prefixOf,
  type RecordedAttempt,
} from './evidence-format.ts';
import { exchangeOf } from './har-entry.ts';
import { type EvidenceFile, exchangesAt, openEvidence } from './stream-evidence.ts';

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

/** Bytes of evidence whose exchanges are kept in memory. */
const usuallyHeld = 16 * 1024 * 1024;
/** Bytes of the exchanges of one attempt, which are evaluated together. */
const mostOfAttempt = 256 * 1024 * 1024;

/** Place of an exchange, and its number in its attempt. */
interface NumberedPlace extends Place {
  readonly number: number;
}

/**
 * Reads evidence.har to its end; throws an EvidenceFormatError where it is not as the harness writes it. The exchanges of
 * evidence with more than `mostHeld` bytes are read again where they are needed.
 */
export async function readEvidence(
  source: ByteSource,
  mostHeld: number = usuallyHeld,
): Promise<ReadEvidence> {
  const hash = createHash('sha256');
  const places: NumberedPlace[] = [];
  const byPrefix = new Map<string, NumberedPlace[]>();
  const held: Exchange[] = [];
  const stream = await openEvidence(hashed(source.pieces(), hash));
  try {
    for (let read = await stream.next(); read !== undefined; read = await stream.next()) {
      const { exchange, at, length } = read;
      const place = { at, length, number: numberOf(exchange) };
      places.push(place);
      addTo(byPrefix, prefixOf(exchange), place);
      if (at <= mostHeld) held.push(exchange);
      else held.length = 0;
    }
    const attempts = await stream.attempts();
    const { run } = stream;
    const sha256 = hash.digest('hex');
    if (held.length === places.length) return { ...evidenceOf({ run, exchanges: held, attempts }), sha256 };
    return { run, attempts, sha256, ...readAgain(source, originOf(run), places, byPrefix) };
  } finally {
    await stream.close();
  }
}

function readAgain(
  source: ByteSource,
  origin: string,
  places: readonly Place[],
  byPrefix: ReadonlyMap<string, readonly NumberedPlace[]>,
): Pick<Evidence, 'count' | 'exchanges' | 'exchangesOf'> {
  return {
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
}

/** Evidence in memory. */
export function evidenceOf({ run, exchanges, attempts }: EvidenceLog): Evidence {
  const byPrefix = new Map<string, Exchange[]>();
  for (const exchange of exchanges) addTo(byPrefix, prefixOf(exchange), exchange);
  for (const same of byPrefix.values()) same.sort((a, b) => numberOf(a) - numberOf(b));
  return {
    run,
    attempts,
    count: exchanges.length,
    async *exchanges() {
      yield* exchanges;
    },
    exchangesOf: async (prefix) => byPrefix.get(prefix) ?? [],
  };
}

function numberOf({ id }: Exchange): number {
  return Number(id.slice(id.lastIndexOf('.') + 1));
}

function addTo<T>(groups: Map<string, T[]>, key: string, member: T): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [member]);
  else group.push(member);
}

/** All that the text of evidence.har holds; for texts of one's own, because nothing is checked. */
export function parseEvidence(text: string): EvidenceLog {
  const { _run: run, entries, _attempts: attempts } = (JSON.parse(text) as EvidenceFile).log;
  return { run, exchanges: entries.map((entry) => exchangeOf(entry, originOf(run))), attempts };
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
