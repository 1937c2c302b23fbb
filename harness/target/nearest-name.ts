import { UsageError, type UsageProblem } from '../usage-error.ts';

/** The likeliest candidate, if one is near enough; case, `-` and `_` do not count. */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = bare(name);
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const other = bare(candidate);
    const distance = editDistance(wanted, other);
    const limit = isWithin(wanted, other) ? wanted.length : Math.max(1, Math.floor(wanted.length / 3));
    if (distance <= limit && distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** The remedy for an unknown name: the nearest known one, else all of them if they are few. */
export function knownNames(name: string, candidates: readonly string[]): string {
  const nearest = nearestName(name, candidates);
  if (nearest !== undefined) return `write ${nearest}`;
  if (candidates.length > 8) return 'correct it, or remove it';
  return candidates.length === 0 ? 'remove it' : `use one of ${candidates.join(', ')}, or remove it`;
}

function bare(name: string): string {
  return name.replaceAll(/[-_\s]/g, '').toLowerCase();
}

/** Whole words are often left out: `listProducts` for `listAllProducts`. */
function isWithin(name: string, other: string): boolean {
  let found = 0;
  for (const letter of other) if (letter === name[found]) found++;
  return found === name.length;
}

/** Characters that are added, left out, exchanged, or swapped with their neighbour. */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 0; i <= a.length; i++) {
    const row: number[] = [];
    rows.push(row);
    for (let j = 0; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const ways = [at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (same ? 0 : 1)];
      if (isSwapped) ways.push(at(i - 2, j - 2) + 1);
      row.push(i + j === 0 ? 0 : Math.min(...ways));
    }
  }
  return at(a.length, b.length);
}

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
