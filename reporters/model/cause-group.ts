import type { Cause } from '../../harness/model/report.ts';
import type { Violation } from './violation.ts';

/** Violations that share one cause, the most telling first; `cause` is null for one that stands alone. */
export interface CauseGroup {
  readonly cause: Cause | null;
  readonly example: Violation;
  /** All but the example. */
  readonly others: readonly Violation[];
}

const levelOrder = { must: 0, should: 1, info: 2 } as const;

function reads(violation: Violation): string {
  return JSON.stringify([
    violation.finding?.message ?? violation.message,
    violation.expected,
    violation.actual,
  ]);
}

/** Gathers violations under the report's causes, widest cause first; nothing is lost that belongs to none. */
export function groupByCause(violations: readonly Violation[], causes: readonly Cause[]): CauseGroup[] {
  const byId = new Map(
    violations.flatMap((violation) => (violation.finding ? [[violation.finding.id, violation]] : [])),
  );
  const members = new Map<Cause, Violation[]>();
  const alone: Violation[] = [];
  for (const violation of violations) {
    const cause = causeOf(violation, causes, byId);
    if (cause === undefined) alone.push(violation);
    else members.set(cause, [...(members.get(cause) ?? []), violation]);
  }
  const groups: CauseGroup[] = alone.map((example) => ({ cause: null, example, others: [] }));
  for (const [cause, [first, ...rest]] of members) {
    if (first === undefined) continue;
    const all = [first, ...rest];
    const example = all.find(({ finding }) => finding?.id === cause.example) ?? first;
    groups.push({ cause, example, others: all.filter((violation) => violation !== example) });
  }
  return groups.sort(
    (a, b) =>
      levelOrder[a.example.level] - levelOrder[b.example.level] ||
      operationsOf(b).length - operationsOf(a).length ||
      b.others.length - a.others.length,
  );
}

/** The operations that a group hits, each once. */
export function operationsOf(group: CauseGroup): string[] {
  return [...new Set([group.example, ...group.others].map(({ operation }) => operation))];
}

// A finding does not name its cause: where several causes of its requirement list its operation,
// the one whose example reads the same is taken.
function causeOf(
  violation: Violation,
  causes: readonly Cause[],
  byId: ReadonlyMap<string, Violation>,
): Cause | undefined {
  if (violation.finding === null) return undefined;
  const id = violation.finding.id;
  const candidates = causes.filter(
    (cause) => cause.requirement === violation.requirement && cause.operations.includes(violation.operation),
  );
  const relatedExchanges = (cause: Cause): boolean => {
    const example = byId.get(cause.example);
    return example !== undefined && reads(example) === reads(violation);
  };
  return (
    candidates.find(({ example }) => example === id) ?? candidates.find(relatedExchanges) ?? candidates[0]
  );
}
