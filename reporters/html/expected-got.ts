import { diffWordsWithSpace } from 'diff';
import type { Element, ElementContent } from 'hast';
import { h } from 'hastscript';
import type { Violation } from '../model/root-causes.ts';
import { type Content, shown } from './elements.ts';

type Pair = Pick<Violation, 'expected' | 'actual'>;

const longestInline = 28;
// Beyond this many changes two texts have little in common.
const mostChanges = 60;

function isShort(text: string | null): boolean {
  return text === null || text.length <= longestInline;
}

/** `401 → 200` on one line; null where the texts are too long for it, or the case has neither. */
export function inlineChange({ expected, actual }: Pair): Element | null {
  if ((expected === null && actual === null) || !isShort(expected) || !isShort(actual)) return null;
  return h('span.change', [
    h('span.unseen', 'expected '),
    h('code', { dir: 'ltr' }, shown(expected ?? '–')),
    h('span', { ariaHidden: 'true' }, ' → '),
    h('span.unseen', ', got '),
    h('code.got', { dir: 'ltr' }, shown(actual ?? '–')),
  ]);
}

/** A part of a text, and whether the other text lacks it. */
type Part = Readonly<{ text: string; differs: boolean }>;

/** Compares two texts word by word. */
export function compareWords(expected: string, actual: string): readonly [expected: Part[], actual: Part[]] {
  const changes = diffWordsWithSpace(expected, actual, { maxEditLength: mostChanges });
  if (changes === undefined) return [[{ text: expected, differs: true }], [{ text: actual, differs: true }]];
  const side = (other: 'added' | 'removed'): Part[] =>
    changes.flatMap((change) =>
      change[other] ? [] : [{ text: change.value, differs: change.added || change.removed }],
    );
  return [side('added'), side('removed')];
}

function wordsView(parts: readonly Part[]): Content {
  const text = parts.map((part) => part.text).join('');
  if (text === '') return 'nothing';
  // Where most of a text differs, marks would only disturb.
  const same = parts.reduce((sum, { differs, text: { length } }) => sum + (differs ? 0 : length), 0);
  const isMixed = same * 2 > text.length;
  const content: ElementContent[] = parts.map((part) =>
    part.differs && isMixed ? h('strong', shown(part.text)) : { type: 'text', value: shown(part.text) },
  );
  return h('code', { dir: 'ltr' }, content);
}

/** Expected and got in two lines with the differing words set off. */
export function fullChange({ expected, actual }: Pair): (readonly [name: string, value: Content])[] {
  const [left, right] = compareWords((expected ?? '').slice(0, 2_000), (actual ?? '').slice(0, 2_000));
  return [
    ['Expected', expected === null ? null : wordsView(left)],
    ['Got', actual === null ? null : wordsView(right)],
  ];
}
