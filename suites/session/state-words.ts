import { changedLeaves, isMoment, type Leaf, type Leaves } from '../../harness/evidence/json-leaves.ts';

/** Whether a leaf may name a state: a text or a truth value, but no point in time. */
export function isWord(leaf: Leaf): boolean {
  return typeof leaf === 'boolean' || (typeof leaf === 'string' && !isMoment(leaf));
}

/** Whether a word of the one is another in the other, links left aside. */
export function stateChanged(
  before: Leaves,
  after: Leaves,
  volatilePointers: ReadonlySet<string> = new Set(),
): boolean {
  return changedLeaves(before, after).some((pointer) => {
    const old = before.get(pointer);
    const now = after.get(pointer);
    if (old === undefined || now === undefined || volatilePointers.has(pointer)) return false;
    return isWord(old) && isWord(now) && !isLink(old) && !isLink(now);
  });
}

/** Whether a leaf is a URL or a path: it may name the operation that was called. */
export function isLink(leaf: Leaf): boolean {
  return typeof leaf === 'string' && /^(?:[a-z][a-z0-9+.-]*:\/\/|\/)/i.test(leaf);
}
