export interface Reduction<T> {
  /** Smaller forms of an input, the boldest first; the smaller ones of these need not be among them. */
  readonly smaller: (input: T) => Iterable<T>;
  /** Equal for inputs that go out as the same bytes, so that nothing is asked twice. */
  readonly keyOf: (input: T) => string;
  /** Whether an input fails in the same way; each question costs requests. */
  readonly stillFails: (input: T) => Promise<boolean>;
  /** Questions at the most. */
  readonly budget: number;
}

export interface Reduced<T> {
  readonly input: T;
  readonly asked: number;
  /** No smaller form fails; false where the budget ended first. */
  readonly isMinimal: boolean;
}

/**
 * Takes the first smaller form that still fails, again and again, until none does or the budget ends. Near a limit, or by
 * chance, a form may fail once and not again: the result is the smallest that fails twice.
 */
export async function reduce<T>(start: T, reduction: Reduction<T>): Promise<Reduced<T>> {
  const { smaller, keyOf, stillFails, budget } = reduction;
  const tried = new Set([keyOf(start)]);
  const failed = [start];
  let input = start;
  let asked = 0;
  let isMinimal = false;
  search: while (!isMinimal) {
    for (const candidate of smaller(input)) {
      const key = keyOf(candidate);
      if (tried.has(key)) continue;
      if (asked === budget) break search;
      tried.add(key);
      asked += 1;
      if (await stillFails(candidate)) {
        failed.push(candidate);
        input = candidate;
        continue search;
      }
    }
    isMinimal = true;
  }
  // What fails most times may succeed once, and rarely twice.
  const failsAgain = async (): Promise<boolean> => {
    for (let tries = 0; tries < 2 && asked < budget; tries += 1) {
      asked += 1;
      if (await stillFails(input)) return true;
    }
    return false;
  };
  while (failed.length > 1 && asked < budget && !(await failsAgain())) {
    isMinimal = false;
    failed.pop();
    input = failed.at(-1) ?? start;
  }
  return { input, asked, isMinimal };
}

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
