import type { Exclusion } from '../model/target.ts';

/** Where a value of some class would go out. */
interface ValuePlace {
  readonly class: string;
  /** A path parameter, `query` or `body`. */
  readonly parameter: string;
  readonly operation: string;
}

/** The exclusion of the user that forbids a value; undefined where none does. */
export function findExclusion(exclusions: readonly Exclusion[], value: ValuePlace): Exclusion | undefined {
  return exclusions.find(
    (one) =>
      one.class === value.class &&
      (one.parameter ?? value.parameter) === value.parameter &&
      (one.operation ?? value.operation) === value.operation,
  );
}
