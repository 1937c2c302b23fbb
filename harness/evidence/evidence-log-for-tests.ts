import { groupBy } from '../group-by.ts';
import type { Exchange } from '../model/exchange.ts';
import type { ByteSource } from './byte-source.ts';
import { type EvidenceRun, numberOf, originOf, prefixOf, type RecordedAttempt } from './evidence-format.ts';
import { exchangeOf } from './har-entry.ts';
import type { Evidence } from './read-evidence.ts';

/** All that evidence.har holds. */
export interface EvidenceLog {
  readonly run: EvidenceRun;
  readonly exchanges: readonly Exchange[];
  readonly attempts: readonly RecordedAttempt[];
}

/** Evidence in memory. */
export function evidenceOf({ run, exchanges, attempts }: EvidenceLog): Evidence {
  const byPrefix = groupBy(exchanges, prefixOf);
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

/** The bytes of a text. */
export function bytesOf(text: string): ByteSource {
  const bytes = Buffer.from(text);
  return {
    async *pieces(places = [{ at: 0, length: bytes.length }]) {
      for (const { at, length } of places) yield bytes.subarray(at, at + length);
    },
  };
}

interface EvidenceFile {
  readonly log: {
    readonly _run: EvidenceRun;
    readonly entries: readonly unknown[];
    readonly _attempts: readonly RecordedAttempt[];
  };
}

/** All that the text of evidence.har holds; nothing is checked. */
export function parseEvidence(text: string): EvidenceLog {
  const { _run: run, entries, _attempts: attempts } = (JSON.parse(text) as EvidenceFile).log;
  return { run, exchanges: entries.map((entry) => exchangeOf(entry, originOf(run))), attempts };
}
