import { parseBody } from '../../harness/evidence/answer.ts';
import { isMoment, type Leaf, type Leaves, leavesOf } from '../../harness/evidence/json-leaves.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { bodyFields } from './session-evidence.ts';

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

/** Whether a value is a URL or a path, which may name the operation that was called. */
export function isLink(leaf: Leaf): boolean {
  return typeof leaf === 'string' && /^(?:[a-z][a-z0-9+.-]*:\/\/|\/)/i.test(leaf);
}

/** Whether a change is one of a state. */
export function isOfState({ before, after }: Change): boolean {
  return isStateValue(before) && isStateValue(after);
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

/** Pointers of the states that a cancel changes, and that changed from the same value to any other one. */
export function changedWhereBy(cancel: readonly Change[], changes: readonly Change[]): readonly string[] {
  const states = cancel.filter(isOfState);
  return changes.flatMap((one) =>
    isOfState(one) && states.some(({ pointer, before }) => pointer === one.pointer && before === one.before)
      ? one.pointer
      : [],
  );
}

/** Whether a value is the number that a text of digits makes, which may have lost some of them. */
export function isNumberOf(leaf: Leaf | undefined, id: string): boolean {
  return typeof leaf === 'number' && leaf === Number(id);
}

/** Whether a value can be an id like the given one: a secret id is masked or omitted after the create. */
export function looksLikeId(leaf: Leaf | undefined, id: string): boolean {
  if (isNumberOf(leaf, id)) return true;
  const value = String(leaf ?? '');
  return value.length === id.length && !/[*•…]|(.)\1{3}/u.test(value);
}

/** Whether a response shows what a request sent, at a place where another exchange shows what that one sent instead. */
export function showsOf(response: Exchange, sender: Exchange, unlike: Exchange): boolean {
  const [sent, otherSent] = [sender, unlike].map(({ request }) => leavesOf(parseBody(request.body)));
  const [shown, otherShown] = [response, unlike].map(bodyFields);
  const nameOf = (pointer: string): string => pointer.slice(pointer.lastIndexOf('/'));
  return [...(sent ?? [])].some(([pointer, leaf]) => {
    const instead = otherSent?.get(pointer);
    if (instead === undefined || instead === leaf) return false;
    return [...(shown ?? [])].some(
      ([at, value]) =>
        // A counter may agree with a number by chance.
        (typeof leaf === 'string' || nameOf(at) === nameOf(pointer)) &&
        value === leaf &&
        otherShown?.get(at) === instead,
    );
  });
}
