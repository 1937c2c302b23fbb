import type { Exchange } from '../../harness/model/exchange.ts';
import { isFirstCall, sequenceOf } from './call-sequence.ts';
import { doubtAbout } from './comparison.ts';
import { hasStatus, isWrongCall, type SessionEvidence } from './session-evidence.ts';
import { type Contradiction, contradictionsOf } from './session-model.ts';

/** A contradiction in a call sequence. */
export interface SequenceContradiction extends Contradiction {
  /** The calls up to the one that shows it. */
  readonly sequence: string;
  /** The exchanges of these calls. */
  readonly steps: readonly Exchange[];
}

/** Different contradictions that a case reports at most. */
const mostFindings = 3;

/**
 * The contradictions in call sequences, the most reliable first: those that the same calls always showed, and the shortest
 * of these. Effects of an earlier sequence can show in a later one, but rarely show every time. That a create or cancel of
 * another session ends a session is none: SESSION-5 only recommends that it does not.
 */
export function sequenceContradictions(session: SessionEvidence): readonly SequenceContradiction[] {
  const calls = session.exchanges.filter((one) => sequenceOf(one) !== undefined && !hasStatus(one, 429));
  const found = contradictionsOf(session).flatMap((one) => {
    const sequence = sequenceOf(one.exchange);
    if (sequence === undefined || one.rule === 'stays open') return [];
    const end = calls.indexOf(one.exchange) + 1;
    return [{ ...one, sequence, steps: calls.slice(calls.slice(0, end).findLastIndex(isFirstCall), end) }];
  });
  const sent = countBy(calls, sequenceOf);
  const shown = countBy(found, ({ sequence }) => sequence);
  const share = ({ sequence }: SequenceContradiction): number =>
    (shown.get(sequence) ?? 0) / (sent.get(sequence) ?? 1);
  return found.sort((a, b) => share(b) - share(a) || a.steps.length - b.steps.length);
}

/** The certain contradictions at the operation of a case, one of each kind. */
export function certainContradictions(
  session: SessionEvidence,
  operation: string,
): readonly SequenceContradiction[] {
  const byKind = new Map<string, SequenceContradiction>();
  for (const one of sequenceContradictions(session)) {
    const isOwn = one.exchange.operation === operation;
    if (isOwn && doubtAbout(session, one) === undefined && !byKind.has(kindOf(one)))
      byKind.set(kindOf(one), one);
  }
  return [...byKind.values()].slice(0, mostFindings);
}

/** The operation, credentials and response of a contradiction; equal for those with the same defect. */
export function kindOf({ exchange, actual }: Contradiction): string {
  return [exchange.operation, isWrongCall(exchange), actual].join(' ');
}

function countBy<T>(
  items: readonly T[],
  keyOf: (item: T) => string | undefined,
): ReadonlyMap<unknown, number> {
  const counts = new Map<unknown, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}
