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
