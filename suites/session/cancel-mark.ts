import { isMoment, type Leaf, type Leaves } from '../../harness/evidence/json-leaves.ts';
import { isWord } from './state-words.ts';

/** A change that a cancel makes to what is shown of a session. */
export interface Change {
  readonly before: Leaf;
  readonly after: Leaf;
}

/** How a session that was cancelled differs from what it was: by pointer, where both show something. */
export type CancelMark = ReadonlyMap<string, Change>;

/** What a cancel changed. */
export function cancelMark(before: Leaves, after: Leaves): CancelMark {
  const mark = new Map<string, Change>();
  for (const [pointer, old] of before) {
    const now = after.get(pointer);
    if (now !== undefined && now !== old) mark.set(pointer, { before: old, after: now });
  }
  return mark;
}

/**
 * Pointers at which a session has come to look cancelled. A word that turns into another tells states apart, times and
 * counters do not: a refused attempt may be counted or logged. Where no word changes, all that a cancel changes must
 * have changed.
 */
export function matchesCancelDiff(
  mark: CancelMark,
  before: Leaves,
  after: Leaves,
  volatilePointers: ReadonlySet<string>,
): readonly string[] {
  const settled = [...mark].filter(([pointer]) => !volatilePointers.has(pointer));
  const words = settled.filter(([, change]) => isWord(change.before) && isWord(change.after));
  if (words.length > 0) {
    return words
      .filter(
        ([pointer, change]) => before.get(pointer) === change.before && after.get(pointer) === change.after,
      )
      .map(([pointer]) => pointer);
  }
  const telling = settled.filter(([, change]) => !(isMoment(change.before) && isMoment(change.after)));
  const same = telling.filter(([pointer, change]) => {
    const now = after.get(pointer);
    if (before.get(pointer) !== change.before || now === undefined) return false;
    return now === change.after || (isMoment(now) && isMoment(change.after));
  });
  return same.length === telling.length ? same.map(([pointer]) => pointer) : [];
}
