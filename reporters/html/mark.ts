import type { Element } from 'hast';
import { h } from 'hastscript';
import type { Outcome } from '../../harness/model/report.ts';
import { outcomeMarks } from '../model/marks.ts';
import type { Weight } from './page-model.ts';

/** What a cell or a line can stand for. */
export type Sign = Outcome | 'note' | 'not-run';

interface SignText {
  readonly sign: string;
  readonly word: string;
}

/** The sign that reads without colour, and its word. */
export const signs: Readonly<Record<Sign, SignText>> = {
  ...outcomeMarks,
  note: { sign: 'i', word: 'noted' },
  'not-applicable': { sign: '·', word: 'not applicable' },
  'not-run': { sign: '–', word: 'not run' },
};

/** A sign in its colour and shape; what it means is told in words beside it, or by `says`. */
export function mark(sign: Sign, says?: string): Element {
  return h('span', { className: ['mark', `is-${sign}`] }, [
    h('span', { ariaHidden: 'true' }, signs[sign].sign),
    says === undefined ? null : h('span', { className: ['unseen'] }, says),
  ]);
}

/** The sign of a violation by its weight, its word for who cannot see it. */
export function weightMark(weight: Weight): Element {
  return mark(weight, signs[weight].word);
}
