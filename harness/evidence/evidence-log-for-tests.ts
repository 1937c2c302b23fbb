import type { Exchange } from '../model/exchange.ts';
import { type EvidenceRun, originOf, prefixOf, type RecordedAttempt } from './evidence-format.ts';
import { exchangeOf } from './har-entry.ts';
import type { Evidence } from './read-evidence.ts';
import type { EvidenceFile } from './stream-evidence.ts';

/** All that evidence.har holds. */
export interface EvidenceLog {
  readonly run: EvidenceRun;
  readonly exchanges: readonly Exchange[];
  readonly attempts: readonly RecordedAttempt[];
}

/** Evidence in memory. */
export function evidenceOf({ run, exchanges, attempts }: EvidenceLog): Evidence {
  const byPrefix = new Map<string, Exchange[]>();
  for (const exchange of exchanges) {
    const prefix = prefixOf(exchange);
    byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), exchange]);
  }
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

/** All that the text of evidence.har holds; nothing is checked. */
export function parseEvidence(text: string): EvidenceLog {
  const { _run: run, entries, _attempts: attempts } = (JSON.parse(text) as EvidenceFile).log;
  return { run, exchanges: entries.map((entry) => exchangeOf(entry, originOf(run))), attempts };
}
