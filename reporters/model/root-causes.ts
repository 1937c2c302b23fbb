import type { Cause, Level, Report, RootCause, RootCauseSubject } from '../../harness/model/report.ts';
import { groupBy } from './group-by.ts';
import { type Violation, violationsOf } from './violation.ts';

/** The effect of a root cause on the verdict. */
export type Weight = 'fail' | 'warn';

/** Violations that one fix removes. */
export interface RootCauseGroup {
  /** Equal for the same defect in another run; null where the report gives none. */
  readonly id: string | null;
  /** The defect. */
  readonly headline: string;
  readonly level: Level;
  readonly weight: Weight;
  /** Who responded, where the service did not. */
  readonly answeredBy: { readonly name: string; readonly why: string } | null;
  /** Where the fix belongs. */
  readonly subject: RootCauseSubject | null;
  readonly fix: string | null;
  /** Lines for the target file that avoid the violation. */
  readonly exclude: string | null;
  /** Entries for the baseline that accept the violation. */
  readonly accept: string | null;
  readonly example: Violation;
  /** All violations but the example. */
  readonly others: readonly Violation[];
}

const levels: readonly Level[] = ['must', 'should', 'info'];

/** Failures and warnings by root cause: failures first, then by level and by number of operations. */
export function rootCausesOf(report: Report): readonly RootCauseGroup[] {
  const { failures, warnings } = violationsOf(report);
  const { named, rest } = namedGroups(failures, warnings, report.rootCauses ?? []);
  const isRest = (violation: Violation): boolean => rest.has(violation);
  return [
    ...named,
    ...sharedGroups(failures.filter(isRest), 'fail', report.causes),
    ...sharedGroups(warnings.filter(isRest), 'warn', report.causes),
  ].sort(
    (a, b) =>
      Number(a.weight === 'warn') - Number(b.weight === 'warn') ||
      levels.indexOf(a.level) - levels.indexOf(b.level) ||
      operationsOf(b).length - operationsOf(a).length ||
      b.others.length - a.others.length,
  );
}

/** The root causes of the report with their violations, and the violations that have none. */
function namedGroups(
  failures: readonly Violation[],
  warnings: readonly Violation[],
  rootCauses: readonly RootCause[],
): { readonly named: readonly RootCauseGroup[]; readonly rest: ReadonlySet<Violation> } {
  const rest = new Set([...failures, ...warnings]);
  const byId = groupBy([...rest], ({ finding }) => finding?.id);
  const failing = new Set(failures);
  const named = rootCauses.flatMap((cause): RootCauseGroup[] => {
    const members = cause.findings.flatMap((id) => byId.get(id) ?? []).filter((one) => rest.delete(one));
    const [example, ...others] = members;
    if (example === undefined) return [];
    return [
      {
        id: cause.id,
        headline: cause.headline,
        level: cause.level,
        weight: members.some((one) => failing.has(one)) ? 'fail' : 'warn',
        answeredBy: cause.answeredBy ?? null,
        subject: cause.subject,
        fix: cause.fix,
        exclude: cause.exclude ?? null,
        accept: cause.accept,
        example,
        others,
      },
    ];
  });
  return { named, rest };
}

/** The violations of a group, the example first. */
export function membersOf({ example, others }: RootCauseGroup): readonly [Violation, ...Violation[]] {
  return [example, ...others];
}

/** The operations of a group, each once. */
export function operationsOf(group: RootCauseGroup): readonly string[] {
  return [...new Set(membersOf(group).map(({ operation }) => operation))];
}

/** Violations without a root cause of the report, by what they share. */
function sharedGroups(
  violations: readonly Violation[],
  weight: Weight,
  causes: readonly Cause[],
): RootCauseGroup[] {
  const members = new Map<Cause | Violation, [Violation, ...Violation[]]>();
  const byId = new Map(violations.map((violation) => [violation.finding?.id, violation]));
  for (const violation of violations) {
    const key = causeOf(violation, causes, byId) ?? violation;
    const group = members.get(key);
    if (group === undefined) members.set(key, [violation]);
    else group.push(violation);
  }
  return [...members].map(([key, all]) => {
    const example = all.find(({ finding }) => 'count' in key && finding?.id === key.example) ?? all[0];
    return groupOf(example, all, weight);
  });
}

function groupOf(example: Violation, all: readonly Violation[], weight: Weight): RootCauseGroup {
  return {
    id: null,
    headline: example.headline,
    level: example.level,
    weight,
    answeredBy: null,
    subject: null,
    fix: null,
    exclude: null,
    accept: null,
    example,
    others: all.filter((violation) => violation !== example),
  };
}

// A finding does not name its cause: where several causes of its requirement list its operation,
// the one whose example reads the same is taken.
function causeOf(
  violation: Violation,
  causes: readonly Cause[],
  byId: ReadonlyMap<string | undefined, Violation>,
): Cause | undefined {
  const id = violation.finding?.id;
  if (id === undefined) return undefined;
  const candidates = causes.filter(
    (cause) => cause.requirement === violation.requirement && cause.operations.includes(violation.operation),
  );
  const readsTheSame = (cause: Cause): boolean => {
    const example = byId.get(cause.example);
    return example !== undefined && textOf(example) === textOf(violation);
  };
  return candidates.find(({ example }) => example === id) ?? candidates.find(readsTheSame) ?? candidates[0];
}

function textOf({ finding, message, expected, actual }: Violation): string {
  return JSON.stringify([finding?.message ?? message, expected, actual]);
}
