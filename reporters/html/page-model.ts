import type { Report } from '../../harness/model/report.ts';
import type { Requirement } from '../../spec/requirements.ts';
import { type CauseGroup, groupByCause } from '../model/cause-group.ts';
import { type OpenCases, openCasesOf } from '../model/open-cases.ts';
import { type Violation, type Violations, violationsOf } from '../model/violation.ts';

/** What a violation weighs on the page. */
export type Weight = 'fail' | 'warn' | 'note';

/** A violation with its place on the page. */
export interface Entry {
  readonly violation: Violation;
  readonly weight: Weight;
  /** Id of its element, unique on the page: the finding's own, so that it can be linked from elsewhere. */
  readonly anchor: string;
}

/** A cause and the entries that it brought, its example first. */
export interface CauseEntries {
  readonly group: CauseGroup;
  readonly weight: Weight;
  readonly entries: readonly [Entry, ...Entry[]];
}

/** The report sorted as the page shows it, once for all its parts. */
export interface PageModel {
  readonly report: Report;
  readonly requirements: ReadonlyMap<string, Requirement>;
  readonly violations: Violations;
  /** Failures, then warnings, then notes; those of one cause stand together. */
  readonly entries: readonly Entry[];
  /** Of failures and warnings. */
  readonly causes: readonly CauseEntries[];
  readonly open: readonly OpenCases[];
}

/** Sorts a report for its page. */
export function pageModelOf(report: Report, requirements: readonly Requirement[]): PageModel {
  const violations = violationsOf(report);
  const taken = new Map<string, number>();
  const entryOf = (violation: Violation, weight: Weight): Entry => {
    const id = violation.finding?.id ?? 'case';
    const times = (taken.get(id) ?? 0) + 1;
    taken.set(id, times);
    return { violation, weight, anchor: times === 1 ? id : `${id}-${times}` };
  };
  const causesOf = (found: readonly Violation[], weight: Weight): CauseEntries[] =>
    groupByCause(found, report.causes).map((group) => ({
      group,
      weight,
      entries: [
        entryOf(group.example, weight),
        ...group.others.map((violation) => entryOf(violation, weight)),
      ],
    }));
  const causes = [...causesOf(violations.failures, 'fail'), ...causesOf(violations.warnings, 'warn')];
  const notes = violations.notes.map((violation) => entryOf(violation, 'note'));
  return {
    report,
    requirements: new Map(requirements.map((requirement) => [requirement.id, requirement])),
    violations,
    entries: [...causes.flatMap(({ entries }) => entries), ...notes],
    causes,
    open: openCasesOf(report),
  };
}

/** Id of the element that tells of a cause. */
export function causeAnchor(index: number): string {
  return `cause-${index + 1}`;
}

/** Id of the element that tells of a group of inconclusive cases. */
export function openAnchor(index: number): string {
  return `open-${index + 1}`;
}

/** Id of the element that tells of a case in which the harness failed. */
export function errorAnchor(index: number): string {
  return `error-${index + 1}`;
}
