import type { Mark, Tone } from '../model/marks.ts';
import type { OpenCases } from '../model/open-cases.ts';
import type { RootCauseGroup } from '../model/root-causes.ts';
import { number } from '../model/wording.ts';
import type { Text } from './text.ts';

/** The beginning of each line about a finding, in order, by the kind of line. */
export const leads = {
  expectation: '',
  places: '',
  also: 'also ',
  detail: '',
  'answered by': 'answered by ',
  fix: 'fix: ',
  classes: 'classes of values: ',
  contract: 'contract: ',
  seen: '',
  logged: 'in your logs: ',
  accepted: '',
  check: 'check ',
} as const;

/** The kind of a line about a finding. */
export type FactName = keyof typeof leads;

/** A line about a finding; `lead` begins it in formats without labels. */
export interface Fact {
  readonly name: FactName;
  readonly lead: string;
  readonly text: Text;
}

/** A root cause. */
export interface FindingBlock {
  readonly kind: 'finding';
  /** The requirement and its level. */
  readonly rule: Text;
  readonly title: Text;
  readonly facts: readonly Fact[];
  /** A shell line. */
  readonly reproduction: string | null;
  readonly group: RootCauseGroup;
}

/** Cases that were not tested, and the remedy. */
export interface RemedyBlock {
  readonly kind: 'remedy';
  readonly opening: Text;
  readonly names: Text;
  readonly open: OpenCases;
}

/** A line, and what belongs to it. */
export interface EntryBlock {
  readonly kind: 'entry';
  /** A word or two that lead the title, and their tone. */
  readonly lead?: { readonly text: Text; readonly tone: Tone };
  readonly title: Text;
  readonly details: readonly Text[];
  /** A shell line. */
  readonly command?: string | null;
}

/** Values with their names; a value without a name belongs to the one before. */
export interface FactsBlock {
  readonly kind: 'facts';
  readonly facts: ReadonlyArray<readonly [name: string, text: Text]>;
}

/** The verdict and the next steps. */
export interface VerdictBlock {
  readonly kind: 'verdict';
  readonly mark: Mark;
  readonly verdict: string;
  /** Facts that the verdict alone would hide. */
  readonly caveats: Text;
  readonly target: Text;
  readonly reasons: readonly Text[];
  readonly hint: string | null;
  readonly commands: ReadonlyArray<readonly [does: string, line: string]>;
}

/** Stands for the table of operations, which each format lays out. */
export interface OperationsBlock {
  readonly kind: 'operations';
}

/** Part of a report, the same in every format. */
export type Block = FindingBlock | RemedyBlock | EntryBlock | FactsBlock | VerdictBlock | OperationsBlock;

/** Parts of a report, by the order in which the terminal prints them. */
export type SectionName =
  | 'operations'
  | 'open'
  | 'notes'
  | 'custom'
  | 'errors'
  | 'warn'
  | 'fail'
  | 'figures'
  | 'verdict'
  | 'gate';

/** Blocks under a heading. */
export interface Section<B extends Block = Block> {
  readonly heading: Text;
  readonly tone: Tone;
  readonly blocks: readonly B[];
  /** The omitted blocks, such as `2 more root causes`. */
  readonly rest: (shown: number) => string;
}

/** Blocks under a heading, and the text for omitted ones. */
export function section<B extends Block>(
  tone: Section['tone'],
  heading: Text,
  blocks: readonly B[],
  rest: Section['rest'] = (shown) => `${number(blocks.length - shown)} more`,
): Section<B> {
  return { tone, heading, blocks, rest };
}

/** A section that has nothing to say. */
export const nothing: Section = section('muted', [], []);

/** A line, and what belongs to it. */
export function entry(
  title: Text,
  details: readonly Text[] = [],
  more: Pick<EntryBlock, 'lead' | 'command'> = {},
): EntryBlock {
  return { kind: 'entry', title, details, ...more };
}
