import { nearestName } from '../../harness/target/nearest-name.ts';
import { UsageError, type UsageProblem } from '../../harness/usage-error.ts';

/** The mistake of naming something that does not exist: it suggests the nearest known name, or else `otherwise`. */
export function unknownName(
  problem: Omit<UsageProblem, 'remedy'>,
  name: string,
  known: readonly string[],
  otherwise: string,
): UsageError {
  const nearest = nearestName(name, known);
  return new UsageError({
    ...problem,
    remedy: nearest === undefined ? otherwise : `did you mean ${nearest}?`,
  });
}
