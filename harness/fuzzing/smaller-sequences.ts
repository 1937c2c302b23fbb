/**
 * Smaller forms of a sequence: all items at their simplest, then with runs of items taken out, then with runs at their
 * simplest; long runs before short ones. Equal items make equal sequences, which the reduction skips.
 */
export function* smallerSequences<T>(items: readonly T[], simplest: (item: T) => T): Generator<readonly T[]> {
  const plain = items.map(simplest);
  if (plain.some((item, at) => item !== items[at])) yield plain;
  for (const [start, end] of runsOf(items.length)) yield [...items.slice(0, start), ...items.slice(end)];
  for (const [start, end] of runsOf(items.length)) {
    const simpler = [...items.slice(0, start), ...plain.slice(start, end), ...items.slice(end)];
    if (simpler.some((item, at) => item !== items[at])) yield simpler;
  }
}

/** Stretches that cover the length: the whole, its halves, their halves, down to single places. */
function* runsOf(length: number): Generator<readonly [start: number, end: number]> {
  for (let size = length; size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start < length; start += size) yield [start, Math.min(start + size, length)];
  }
}

/** Fewer of some parts, but not none: halves first, so that the cause among many takes few questions. */
export function* fewerParts<T>(parts: readonly T[]): Generator<readonly T[]> {
  for (const fewer of smallerSequences(parts, (part) => part)) if (fewer.length > 0) yield fewer;
}
