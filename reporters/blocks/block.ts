import type { Mark, Tone } from '../model/marks.ts';
import type { OpenCases } from '../model/open-cases.ts';
import type { RootCauseGroup } from '../model/root-causes.ts';
import { escapeText, number } from '../model/wording.ts';

/** Words that may come from a target; at most `most` characters of them are shown. */
export interface Foreign {
  readonly foreign: string;
  readonly most?: number;
}

/** A text whose foreign parts are separate, so that each format escapes them in its own way. */
export type Text = readonly (string | Foreign)[];

/** A template tag: strings that are put in are foreign, numbers and texts are ours. */
export function say(words: TemplateStringsArray, ...values: readonly (string | number | Text)[]): Text {
  return words.flatMap((word, at) => {
    const value = values[at] ?? [];
    if (typeof value === 'number') return [word, String(value)];
    return [word, ...(typeof value === 'string' ? [{ foreign: value }] : value)];
  });
}

/** A foreign text that is shown up to a length. */
export function upTo(most: number, foreign: string): Text {
  return [{ foreign, most }];
}

/** Texts with a separator between them. */
export function joined(texts: readonly Text[], separator: string): Text {
  return texts.flatMap((text, at) => (at === 0 ? text : [separator, ...text]));
}

/** The first few texts, and how many more there are. */
export function listed(texts: readonly Text[], most: number, separator: string = ', '): Text {
  const more = texts.length - most;
  return more > 0
    ? [...joined(texts.slice(0, most), separator), ` and ${more} more`]
    : joined(texts, separator);
}

/** The first few lines, and one that says how many more there are. */
export function firstLines(lines: readonly Text[], most: number, rest: (more: number) => Text): Text[] {
  const more = lines.length - most;
  return [...lines.slice(0, most), ...(more > 0 ? [rest(more)] : [])];
}

/** A text as a format writes it; `show` makes each foreign part safe. */
export function written(text: Text, show: (foreign: string, most?: number) => string): string {
  return text.map((part) => (typeof part === 'string' ? part : show(part.foreign, part.most))).join('');
}

/** A text on one line, with everything invisible in its foreign parts made visible. */
export function plain(text: Text, longest: number = 300): string {
  return written(text, (foreign, most = longest) => escapeText(foreign, Math.min(most, longest)));
}

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
  check: 'check ',
  logged: 'in your logs: ',
  new: 'new: ',
  accepted: '',
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

/** Part of a report, the same in every format; `operations` stands for their table, which each format lays out. */
export type Block =
  | (FindingBlock | RemedyBlock | EntryBlock | FactsBlock | VerdictBlock)
  | { readonly kind: 'operations' };

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
