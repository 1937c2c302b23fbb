import { groupBy, groupsOf } from '../../harness/group-by.ts';
import type { CaseResult, Finding, Level, Report, RootCause } from '../../harness/model/report.ts';
import { allFindings, rankOfLevel, type WeighedFinding } from '../../harness/results/case-result.ts';
import { firstOf } from './wording.ts';

/** A finding, or a failed case without one, which must be reported as well. */
export interface Violation
  extends Pick<
    CaseResult,
    'operation' | 'check' | 'requirement' | 'level' | 'message' | 'expected' | 'actual'
  > {
  readonly headline: string;
  readonly finding: Finding | null;
}

/** All violations of a run by their effect on the verdict. */
type Violations = Readonly<Record<'failures' | 'warnings' | 'notes', readonly Violation[]>>;

function violationOf({ result, finding }: Pick<WeighedFinding, 'result' | 'finding'>): Violation {
  const { operation, check, requirement } = result;
  const { level, message, expected, actual } = finding ?? result;
  const { detail } = finding ?? {};
  // One colon in a sentence.
  const mark = message.includes(': ') || detail?.startsWith('also ') === true ? ';' : ':';
  const headline = finding?.headline ?? message;
  return {
    ...{ operation, check, requirement, level, headline },
    ...{ message: detail === undefined ? message : `${message}${mark} ${detail}`, expected, actual, finding },
  };
}

/** Sorts findings into failures, warnings and notes, by the outcome of their case and by their level. */
export function violationsOf(report: Report): Violations {
  const all = allFindings(report);
  const of = (weight: string): Violation[] => all.filter((one) => one.weight === weight).map(violationOf);
  return { failures: of('fail'), warnings: of('warn'), notes: of('note') };
}

/** The effect of a root cause on the verdict. */
export type Weight = 'fail' | 'warn';

/** Violations that one fix removes. */
export interface RootCauseGroup {
  /** The defect, in words that no other root cause of the report has. */
  readonly headline: string;
  readonly level: Level;
  readonly weight: Weight;
  /** The root cause that the report names; null for violations without one. */
  readonly named: RootCause | null;
  /** The example first. */
  readonly members: readonly [Violation, ...Violation[]];
  /** The member with the most effect on the exit code. */
  readonly decisive: Violation;
  /** The operations of all members, each once. */
  readonly operations: readonly string[];
}

/** Failures and warnings by root cause: failures first, then new ones, then by level and by number of operations. */
export function rootCausesOf(report: Report): readonly RootCauseGroup[] {
  const { failures, warnings } = violationsOf(report);
  const rest = new Set([...failures, ...warnings]);
  const byId = groupBy([...rest], ({ finding }) => finding?.id);
  const failing = new Set(failures);
  const named = (report.rootCauses ?? []).flatMap((cause) => {
    const [example, ...others] = cause.findings
      .flatMap((id) => byId.get(id) ?? [])
      .filter((one) => rest.delete(one));
    return example === undefined ? [] : [groupOf([example, ...others], failing, cause)];
  });
  // Reports before 1.1 name none: findings that say the same have one.
  const unnamed = [failures, warnings].flatMap((violations) =>
    groupsOf(
      violations.filter((one) => rest.has(one)),
      ({ requirement, expected, actual, finding, operation, check }) => [
        ...[requirement, expected, actual],
        finding?.message ?? [operation, check],
      ],
    ).map((members) => groupOf(members, failing, null)),
  );
  const groups = [...named, ...unnamed].sort(
    (a, b) =>
      Number(a.weight === 'warn') - Number(b.weight === 'warn') ||
      Number(isAccepted(a.decisive)) - Number(isAccepted(b.decisive)) ||
      rankOfLevel(a.level) - rankOfLevel(b.level) ||
      b.operations.length - a.operations.length ||
      b.members.length - a.members.length,
  );
  return withOwnHeadlines(groups);
}

function groupOf(
  members: RootCauseGroup['members'],
  failing: ReadonlySet<Violation>,
  named: RootCause | null,
): RootCauseGroup {
  const { headline, level } = named ?? members[0];
  const [decisive = members[0]] = members.toSorted(
    (a, b) =>
      Number(failing.has(b)) - Number(failing.has(a)) ||
      Number(isAccepted(a)) - Number(isAccepted(b)) ||
      rankOfLevel(a.level) - rankOfLevel(b.level),
  );
  const weight = failing.has(decisive) ? 'fail' : 'warn';
  const operations = [...new Set(members.map(({ operation }) => operation))];
  return { headline, level, weight, named, members, decisive, operations };
}

function isAccepted({ finding }: Violation): boolean {
  return finding?.accepted !== undefined;
}

/** The texts that distinguish root causes with the same headline, the plainest first. */
const differences: ReadonlyArray<(group: RootCauseGroup, at: number) => string> = [
  ({ operations }) => ` at ${firstOf(operations, 2)}`,
  ({ members: [{ expected, actual }] }) => `: expected ${expected ?? 'nothing'}, got ${actual ?? 'nothing'}`,
  ({ members: [{ check }] }) => ` (${check})`,
  ({ operations, members: [{ check }] }) => ` at ${firstOf(operations, 2)} (${check})`,
  (_, at) => ` (${at + 1})`,
];

/** Tells apart root causes that would have the same headline. */
function withOwnHeadlines(groups: readonly RootCauseGroup[]): readonly RootCauseGroup[] {
  const headlines = new Map<RootCauseGroup, string>();
  const taken = new Set(groups.map(({ headline }) => headline));
  for (const same of groupBy(groups, ({ headline }) => headline).values()) {
    if (same.length === 1) continue;
    const own = differences
      .map((difference) => same.map((group, at) => [group, group.headline + difference(group, at)] as const))
      .find(
        (all) => new Set([...taken, ...all.map(([, headline]) => headline)]).size === taken.size + all.length,
      );
    for (const [group, headline] of own ?? []) {
      taken.add(headline);
      headlines.set(group, headline);
    }
  }
  return groups.map((group) => ({ ...group, headline: headlines.get(group) ?? group.headline }));
}
