import type { Report } from '../../harness/model/report.ts';
import type { Requirement } from '../../spec/requirements.ts';
import type { Block, EntryBlock, FindingBlock, RemedyBlock, Section, SectionName } from '../blocks/block.ts';
import { reportSections } from '../blocks/report-sections.ts';
import type { Violation } from '../model/violation.ts';

/** The blocks of a report in the order of the page. */
export interface PageModel {
  readonly report: Report;
  readonly requirements: ReadonlyMap<string, Requirement>;
  readonly sections: ReadonlyMap<SectionName, Section>;
  /** Root causes, failures before warnings. */
  readonly findings: readonly FindingBlock[];
  readonly notes: readonly EntryBlock[];
  readonly open: readonly RemedyBlock[];
  /** Cases in which the harness itself failed. */
  readonly errors: readonly EntryBlock[];
  /** Ids of the elements of blocks and violations; a finding has its own, so that other pages can link to it. */
  readonly anchors: ReadonlyMap<Block | Violation, string>;
}

/** Sorts a report for its page. */
export function pageModelOf(report: Report, requirements: readonly Requirement[]): PageModel {
  const sections = reportSections(report);
  const blocks = <K extends Block['kind']>(name: SectionName, kind: K): Extract<Block, { kind: K }>[] =>
    (sections.get(name)?.blocks ?? []).filter(
      (block): block is Extract<Block, { kind: K }> => block.kind === kind,
    );
  const findings = [...blocks('fail', 'finding'), ...blocks('warn', 'finding')];
  const notes = blocks('notes', 'entry');
  const open = blocks('open', 'remedy');
  const errors = blocks('errors', 'entry');
  const anchors = new Map<Block | Violation, string>();
  const uses = new Map<string, number>();
  const name = (named: Block | Violation, id: string): void => {
    const times = (uses.get(id) ?? 0) + 1;
    uses.set(id, times);
    anchors.set(named, times === 1 ? id : `${id}-${times}`);
  };
  for (const [index, block] of findings.entries()) {
    name(block, `cause-${block.group.named?.id ?? index + 1}`);
    for (const violation of block.group.members) name(violation, violation.finding?.id ?? 'case');
  }
  for (const violation of notes.flatMap(violationsIn)) name(violation, violation.finding?.id ?? 'case');
  for (const [index, block] of open.entries()) name(block, `open-${index + 1}`);
  for (const [index, block] of errors.entries()) name(block, `error-${index + 1}`);
  const byId = new Map(requirements.map((requirement) => [requirement.id, requirement]));
  return { report, requirements: byId, sections, findings, notes, open, errors, anchors };
}

/** The violations of which an entry tells. */
export function violationsIn({ about }: EntryBlock): readonly Violation[] {
  return Array.isArray(about) ? (about as readonly Violation[]) : [];
}
