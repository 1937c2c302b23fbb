import { isMoment, type Leaf, type Leaves } from '../../harness/evidence/json-leaves.ts';

/** A field of a session that two responses show with different values. */
export interface Change {
  /** JSON pointer of the field. */
  readonly pointer: string;
  readonly before: Leaf;
  readonly after: Leaf;
}

/** What differs between two responses that show a session; fields that one of them lacks do not count, nor do volatile ones. */
export function changesOf(
  before: Leaves | undefined,
  after: Leaves | undefined,
  volatilePointers: ReadonlySet<string> = new Set(),
): readonly Change[] {
  return [...(before ?? [])].flatMap(([pointer, old]) => {
    const now = after?.get(pointer);
    const isChange = now !== undefined && now !== old && !volatilePointers.has(pointer);
    return isChange ? [{ pointer, before: old, after: now }] : [];
  });
}

/** Whether a value can name a state: a text that is not a time, or a boolean. */
export function isStateValue(leaf: Leaf): boolean {
  return typeof leaf === 'boolean' || (typeof leaf === 'string' && !isMoment(leaf));
}

/** Whether a change is one of a state. */
export function isOfState({ before, after }: Change): boolean {
  return isStateValue(before) && isStateValue(after);
}

/** Whether a value is a URL or a path, which may name the operation that was called. */
export function isLink(leaf: Leaf): boolean {
  return typeof leaf === 'string' && /^(?:[a-z][a-z0-9+.-]*:\/\/|\/)/i.test(leaf);
}

/** Whether a state value differs between two responses, except for links and volatile fields. */
export function stateChanged(before: Leaves, after: Leaves, volatilePointers?: ReadonlySet<string>): boolean {
  return changesOf(before, after, volatilePointers).some(
    (change) => isOfState(change) && !isLink(change.before) && !isLink(change.after),
  );
}

/**
 * Pointers at which changes repeat those of a cancel. Any state suffices; times and counters do not, as a service may count
 * or log a refused attempt. Where a cancel changes no state, all that it changes must have changed.
 */
export function changedAsBy(cancel: readonly Change[], changes: readonly Change[]): readonly string[] {
  const isRepeated = (one: Change): boolean =>
    changes.some(
      ({ pointer, before, after }) =>
        pointer === one.pointer &&
        before === one.before &&
        (after === one.after || (isMoment(after) && isMoment(one.after))),
    );
  const states = cancel.filter(isOfState);
  const telling = cancel.filter(({ before, after }) => !(isMoment(before) && isMoment(after)));
  const repeated = (states.length > 0 ? states : telling).filter(isRepeated);
  return states.length > 0 || repeated.length === telling.length
    ? repeated.map(({ pointer }) => pointer)
    : [];
}
