import { number } from '../model/wording.ts';
import type { Block, EntryBlock, Section } from './block.ts';
import type { Text } from './text.ts';

/** Blocks under a heading, and what is said of those that are left out. */
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
