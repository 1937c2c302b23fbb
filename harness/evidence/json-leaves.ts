import { escapeStep, type Steps } from '../json-pointers.ts';

/** A scalar of a JSON document. */
export type Leaf = string | number | boolean | null;

/** The scalars of a JSON document by their RFC 6901 pointers. */
export type Leaves = ReadonlyMap<string, Leaf>;

/**
 * All scalars of a document; however deep it is nested, the stack bears it. Members of arrays are taken in the order of
 * what they hold and not of where they stand, for hardly any interface says that an order is kept.
 */
export function leavesOf(document: unknown): Leaves {
  const leaves = new Map<string, Leaf>();
  const waiting: Array<readonly [pointer: string, value: unknown]> = [['', document]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [pointer, value] = next;
    if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(Array.isArray(value) ? inOrder(value) : value)) {
        waiting.push([`${pointer}/${escapeStep(name)}`, member]);
      }
    } else if (value !== undefined) leaves.set(pointer, value as Leaf);
  }
  return leaves;
}

function inOrder(members: readonly unknown[]): readonly unknown[] {
  return members
    .map((member) => ({ member, key: ownScalars(member) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ member }) => member);
}

function ownScalars(value: unknown): string {
  if (typeof value !== 'object' || value === null) return `${typeof value} ${String(value)}`;
  const own = Object.entries(value).filter(([, member]) => typeof member !== 'object' || member === null);
  return own
    .map(([name, member]) => `${name} ${String(member)}`)
    .sort()
    .join('\n');
}

/** A text or a number within a JSON document. */
export interface NamedScalar {
  /** Of the member, or the index in a list. */
  readonly name: string;
  /** Name of the object, or list of objects, around it. */
  readonly owner: string;
  readonly steps: Steps;
  readonly value: string | number;
}

/** The texts and numbers of a document down to a level, the outermost first. */
export function namedScalars(document: unknown, deepest = 32): readonly NamedScalar[] {
  const found: NamedScalar[] = [];
  let level: ReadonlyArray<Omit<NamedScalar, 'value'> & { readonly value: unknown; readonly label: string }> =
    [{ name: '', owner: '', steps: [], value: document, label: '' }];
  for (let depth = 0; depth <= deepest && level.length > 0; depth += 1) {
    level = level.flatMap(({ value, label, ...place }) => {
      if (typeof value === 'string' || typeof value === 'number') found.push({ ...place, value });
      if (typeof value !== 'object' || value === null) return [];
      return Object.entries(value).map(([name, member]) => ({
        ...{ name, owner: label, steps: [...place.steps, name], value: member },
        label: Array.isArray(value) ? label : name,
      }));
    });
  }
  return found;
}

/** Pointers that both documents have, with other values; two moments count as the same. */
export function changedLeaves(before: Leaves, after: Leaves): readonly string[] {
  return [...before.keys()].filter((pointer) => {
    const old = before.get(pointer);
    const now = after.get(pointer);
    if (old === undefined || now === undefined || old === now) return false;
    return !(isMoment(old) && isMoment(now));
  });
}

/** Whether two leaves say the same, be it in other letters, as number or text, or with seconds rounded. */
export function readsSame(a: Leaf, b: Leaf): boolean {
  if (a === b) return true;
  if (a === null || b === null || typeof a === 'boolean' || typeof b === 'boolean') return false;
  if (isMoment(a) && isMoment(b)) return Math.abs(millisecondsOf(a) - millisecondsOf(b)) <= 2000;
  if (String(a).trim().toLowerCase() === String(b).trim().toLowerCase()) return true;
  return String(a).trim() !== '' && String(b).trim() !== '' && Number(a) === Number(b);
}

/** Whether a leaf looks like a point in time: an ISO date with its time, or seconds or milliseconds since 1970. */
export function isMoment(leaf: Leaf): leaf is string | number {
  if (typeof leaf === 'number') return leaf > 1e9 && leaf < 1e14;
  return (
    typeof leaf === 'string' &&
    /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d/.test(leaf) &&
    !Number.isNaN(millisecondsOf(leaf))
  );
}

function millisecondsOf(moment: string | number): number {
  if (typeof moment === 'string') return Date.parse(moment);
  return moment < 1e11 ? moment * 1000 : moment;
}

/** Whether a document holds a value as a scalar of its own, or as a part that stands alone, as in a URL. */
export function mentions(leaves: Leaves, value: string): boolean {
  const forms = [...new Set([value, encodeURIComponent(value)])].map((form) =>
    form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'),
  );
  const alone = new RegExp(`(?<![A-Za-z0-9])(?:${forms.join('|')})(?![A-Za-z0-9])`, 'i');
  return [...leaves.values()].some((leaf) => leaf !== null && alone.test(String(leaf)));
}
