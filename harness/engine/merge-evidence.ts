import { endOf } from '../evidence/answer.ts';
import { misstatedBody } from '../evidence/body-kind.ts';
import type { EvidenceRun } from '../evidence/evidence-format.ts';
import { type EvidenceOutcome, EvidenceWriter } from '../evidence/evidence-writer.ts';
import { EvidenceFormatError, type EvidenceStream } from '../evidence/stream-evidence.ts';
import type { Exchange } from '../model/exchange.ts';

/** The evidence of one shard while it is taken from. */
interface Source {
  readonly stream: EvidenceStream;
  head: Exchange | undefined;
  /** At its n-th place: how many exchanges of all shards stand before and at its n-th own. */
  readonly places: number[];
}

/**
 * Writes the exchanges of all shards to one file, in the order in which they ended, and has each observed. Holds none
 * of them.
 */
export async function mergeEvidence(
  streams: readonly EvidenceStream[],
  { path, run }: { readonly path: string; readonly run: EvidenceRun },
  observe: (exchange: Exchange) => void,
): Promise<EvidenceOutcome> {
  const writer = new EvidenceWriter(path, run);
  const sources = await Promise.all(
    streams.map(
      async (stream): Promise<Source> => ({ stream, head: (await stream.next())?.exchange, places: [] }),
    ),
  );
  let count = 0;
  for (;;) {
    const source = firstToEnd(sources);
    if (source?.head === undefined) break;
    count += 1;
    source.places.push(count);
    const misstated = misstatedBody(source.head);
    if (misstated !== undefined) throw new EvidenceFormatError(`has ${source.head.id}: ${misstated}`);
    writer.observe(source.head);
    observe(source.head);
    source.head = (await source.stream.next())?.exchange;
  }
  for (const { stream, places } of sources) {
    for (const attempt of await stream.attempts()) {
      writer.recordAttempt({ ...attempt, after: places[attempt.after - 1] ?? 0 });
    }
  }
  return writer.finish();
}

function firstToEnd(sources: readonly Source[]): Source | undefined {
  let first: Source | undefined;
  for (const source of sources) {
    if (source.head === undefined) continue;
    if (first?.head === undefined || endOf(source.head) < endOf(first.head)) first = source;
  }
  return first;
}
