import { isMoment, type Leaf, type Leaves } from '../../harness/evidence/json-leaves.ts';
import { isStateValue } from './state-values.ts';

/** The fields that a cancel changes, by JSON pointer; fields that it adds or removes do not count. */
export type CancelDiff = ReadonlyMap<string, { readonly before: Leaf; readonly after: Leaf }>;

/** Compares a session before and after its cancel; undefined on either side gives an empty diff. */
export function cancelDiff(before: Leaves | undefined, after: Leaves | undefined): CancelDiff {
  const diff = new Map<string, { readonly before: Leaf; readonly after: Leaf }>();
  for (const [pointer, old] of before ?? []) {
    const now = after?.get(pointer);
    if (now !== undefined && now !== old) diff.set(pointer, { before: old, after: now });
  }
  return diff;
}

/** The part of a diff that tells states apart. */
export function stateFields(diff: CancelDiff, volatilePointers: ReadonlySet<string>): CancelDiff {
  return new Map(
    [...diff].filter(
      ([pointer, { before, after }]) =>
        !volatilePointers.has(pointer) && isStateValue(before) && isStateValue(after),
    ),
  );
}

/**
 * Pointers at which a session has changed as if cancelled. Any state field suffices; times and counters do not, as a
 * service may count or log a refused attempt. Without state fields, everything that a cancel changes must have changed.
 */
export function matchesCancelDiff(
  diff: CancelDiff,
  before: Leaves,
  after: Leaves,
  volatilePointers: ReadonlySet<string>,
): readonly string[] {
  const states = stateFields(diff, volatilePointers);
  if (states.size > 0) {
    return [...states]
      .filter(
        ([pointer, change]) => before.get(pointer) === change.before && after.get(pointer) === change.after,
      )
      .map(([pointer]) => pointer);
  }
  const others = [...diff].filter(
    ([pointer, change]) =>
      !volatilePointers.has(pointer) && !(isMoment(change.before) && isMoment(change.after)),
  );
  const same = others.filter(([pointer, change]) => {
    const now = after.get(pointer);
    if (before.get(pointer) !== change.before || now === undefined) return false;
    return now === change.after || (isMoment(now) && isMoment(change.after));
  });
  return same.length === others.length ? same.map(([pointer]) => pointer) : [];
}
