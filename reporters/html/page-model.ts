import type { CaseResult, Report } from '../../harness/model/report.ts';
import type { Requirement } from '../../spec/requirements.ts';
import type { Section, SectionName } from '../blocks/block.ts';
import { notesOf, reportSections } from '../blocks/report-sections.ts';
import { type OpenCases, openCasesOf } from '../model/open-cases.ts';
import { type RootCauseGroup, rootCausesOf, type Violation } from '../model/root-causes.ts';
import { wasTested } from '../model/run-figures.ts';

/** The parts of the report that have their own element on the page. */
type Anchored = RootCauseGroup | Violation | OpenCases | CaseResult;

/** A report in the order of the page. */
export interface PageModel {
  readonly report: Report;
  readonly requirements: ReadonlyMap<string, Requirement>;
  readonly sections: ReadonlyMap<SectionName, Section>;
  /** Root causes, failures before warnings. */
  readonly causes: readonly RootCauseGroup[];
  /** Violations of level info, the same ones together. */
  readonly notes: ReturnType<typeof notesOf>;
  readonly open: readonly OpenCases[];
  /** Cases in which the harness itself failed. */
  readonly errors: readonly CaseResult[];
  /** Ids of elements; a finding has its own, so that other pages can link to it. */
  readonly anchors: ReadonlyMap<Anchored, string>;
}

/** Sorts a report for its page. */
export function pageModelOf(report: Report, requirements: readonly Requirement[]): PageModel {
  const causes = rootCausesOf(report);
  // Where nothing was tested, the verdict says it all.
  const isTested = wasTested(report);
  const notes = isTested ? notesOf(report) : [];
  const open = isTested ? openCasesOf(report) : [];
  const errors = report.results.filter(({ outcome }) => outcome === 'error');
  const anchors = new Map<Anchored, string>();
  const uses = new Map<string, number>();
  const name = (named: Anchored, id: string): void => {
    const times = (uses.get(id) ?? 0) + 1;
    uses.set(id, times);
    anchors.set(named, times === 1 ? id : `${id}-${times}`);
  };
  for (const [index, cause] of causes.entries()) {
    name(cause, `cause-${cause.named?.id ?? index + 1}`);
    for (const violation of cause.members) name(violation, violation.finding?.id ?? 'case');
  }
  for (const violation of notes.flat()) name(violation, violation.finding?.id ?? 'case');
  for (const [index, cases] of open.entries()) name(cases, `open-${index + 1}`);
  for (const [index, result] of errors.entries()) name(result, `error-${index + 1}`);
  const byId = new Map(requirements.map((requirement) => [requirement.id, requirement]));
  const sections = reportSections(report);
  return { report, requirements: byId, sections, causes, notes, open, errors, anchors };
}
