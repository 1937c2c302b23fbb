import { keptAt } from './kept-at.ts';

/** Items by what `keyOf` says of them, in order of first appearance; Map.groupBy is missing from Node 20. */
export function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) keptAt(groups, keyOf(item), () => []).push(item);
  return groups;
}

/** Items of which `keyOf` makes equal JSON, in order of first appearance. */
export function groupsOf<T>(items: readonly T[], keyOf: (item: T) => unknown): (readonly [T, ...T[]])[] {
  const groups = groupBy(items, (item) => JSON.stringify(keyOf(item)));
  return [...groups.values()].map((group) => group as [T, ...T[]]);
}
