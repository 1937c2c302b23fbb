/** A source of numbers in [0, 1). */
export type Random = () => number;

/** A whole number from 0 to `below`, exclusive. */
export function below(random: Random, limit: number): number {
  return Math.floor(random() * limit);
}

/** One item of a list that is not empty. */
export function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[below(random, items.length)];
  if (item === undefined) throw new Error('there is nothing to choose from');
  return item;
}
