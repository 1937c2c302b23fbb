import { UsageError } from '../usage-error.ts';

/** Names and list positions from the root of a target description. */
export type KeyPath = ReadonlyArray<string | number>;

/** Why a value is refused; never holds the value of a key. */
export interface Objection {
  readonly what: string;
  readonly why?: string;
  readonly remedy: string;
}

/** An objection to every text that matches a pattern. */
export interface TextRule extends Objection {
  readonly refuses: RegExp;
}

/** The objection of the first rule that refuses a text. */
export function objectionTo(text: string, rules: readonly TextRule[]): Objection | undefined {
  const found = rules.find(({ refuses }) => refuses.test(text));
  if (found === undefined) return undefined;
  const { refuses: _refuses, ...objection } = found;
  return objection;
}

/** An objection to one place of a target description. */
export interface TargetProblem extends Objection {
  readonly path: KeyPath;
  /** Points at the name instead of the value. */
  readonly atName?: boolean;
}

/** Line and column in a file, both from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Finds the place of a path in a file, or of its nearest parent where the path does not exist. */
export type Locate = (path: KeyPath, atName: boolean) => Position | undefined;

/** A path in a message, such as `bodies.createOrder.items[0]`. */
export function keyText(path: KeyPath): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (/^[\w$-]+$/.test(part)) text += text === '' ? part : `.${part}`;
    else text += `[${JSON.stringify(part)}]`;
  }
  return text;
}

/** A problem with its place, which is the whole file where it has no position. */
export interface PlacedProblem extends Objection {
  readonly position: Position | undefined;
  readonly path: KeyPath;
}

/** Joins one or more problems into one error, sorted by line; only the first problem of each place counts. */
export function usageErrorOf(
  problems: readonly TargetProblem[],
  source: string,
  locate: Locate = () => undefined,
): UsageError {
  const byPlace = new Map(problems.toReversed().map((problem) => [JSON.stringify(problem.path), problem]));
  const placed = [...byPlace.values()]
    .toReversed()
    .map(({ atName = false, ...problem }) => ({ ...problem, position: locate(problem.path, atName) }));
  return placedError(placed, source);
}

/** One error about all problems of a source, sorted by line. */
export function placedError(problems: readonly PlacedProblem[], source: string): UsageError {
  const errors = problems.toSorted(byPosition).map(({ position, path, ...objection }) => {
    const place = position === undefined ? source : `${source}:${position.line}:${position.column}`;
    const where = path.length === 0 ? place : `${place} (${keyText(path)})`;
    return new UsageError({ ...objection, where });
  });
  const [only] = errors;
  if (only !== undefined && errors.length === 1) return only;
  return new UsageError({ what: `${source} has ${errors.length} problems` }, errors);
}

function byPosition({ position: a }: PlacedProblem, { position: b }: PlacedProblem): number {
  return (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0);
}
