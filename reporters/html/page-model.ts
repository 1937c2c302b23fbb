import type { CaseResult, Report } from '../../harness/model/report.ts';
import type { Requirement } from '../../spec/requirements.ts';
import { type OpenCases, openCasesOf } from '../model/open-cases.ts';
import { membersOf, type RootCauseGroup, rootCausesOf } from '../model/root-causes.ts';
import { type Violation, violationsOf } from '../model/violation.ts';

/** A violation with the id of its element, which is the finding's own id so that other pages can link to it. */
export interface Entry {
  readonly violation: Violation;
  readonly anchor: string;
}

/** A root cause with its entries, the example first. */
export interface RootCauseEntries {
  readonly group: RootCauseGroup;
  readonly anchor: string;
  readonly entries: readonly [Entry, ...Entry[]];
}

/** The report in the order of the page. */
export interface PageModel {
  readonly report: Report;
  readonly requirements: ReadonlyMap<string, Requirement>;
  /** Failures before warnings. */
  readonly rootCauses: readonly RootCauseEntries[];
  readonly notes: readonly Entry[];
  readonly open: readonly OpenCases[];
  /** Cases in which the harness itself failed. */
  readonly errors: readonly CaseResult[];
}

/** Sorts a report for its page. */
export function pageModelOf(report: Report, requirements: readonly Requirement[]): PageModel {
  const uses = new Map<string, number>();
  const unique = (id: string): string => {
    const times = (uses.get(id) ?? 0) + 1;
    uses.set(id, times);
    return times === 1 ? id : `${id}-${times}`;
  };
  const entryOf = (violation: Violation): Entry => ({
    violation,
    anchor: unique(violation.finding?.id ?? 'case'),
  });
  return {
    report,
    requirements: new Map(requirements.map((requirement) => [requirement.id, requirement])),
    rootCauses: rootCausesOf(report).map((group, index) => {
      const [example, ...others] = membersOf(group);
      return {
        group,
        anchor: unique(group.id === null ? `cause-${index + 1}` : `cause-${group.id}`),
        entries: [entryOf(example), ...others.map(entryOf)],
      };
    }),
    notes: violationsOf(report).notes.map(entryOf),
    open: openCasesOf(report),
    errors: report.results.filter(({ outcome }) => outcome === 'error'),
  };
}

/** Id of the element of a group of inconclusive cases. */
export function openAnchor(index: number): string {
  return `open-${index + 1}`;
}

/** Id of the element of a case in which the harness failed. */
export function errorAnchor(index: number): string {
  return `error-${index + 1}`;
}
