import { changedLeaves, isMoment, type Leaf, type Leaves } from '../../harness/evidence/json-leaves.ts';

/** Whether a value can name a state: a text that is not a time, or a boolean. */
export function isStateValue(leaf: Leaf): boolean {
  return typeof leaf === 'boolean' || (typeof leaf === 'string' && !isMoment(leaf));
}

/** Whether a value is a URL or a path, which may name the operation that was called. */
export function isLink(leaf: Leaf): boolean {
  return typeof leaf === 'string' && /^(?:[a-z][a-z0-9+.-]*:\/\/|\/)/i.test(leaf);
}

/** Whether a state value differs between two responses, except for links and volatile fields. */
export function stateChanged(
  before: Leaves,
  after: Leaves,
  volatilePointers: ReadonlySet<string> = new Set(),
): boolean {
  return changedLeaves(before, after).some((pointer) => {
    const old = before.get(pointer);
    const now = after.get(pointer);
    if (old === undefined || now === undefined || volatilePointers.has(pointer)) return false;
    return isStateValue(old) && isStateValue(now) && !isLink(old) && !isLink(now);
  });
}
