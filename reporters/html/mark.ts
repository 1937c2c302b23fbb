import type { Element } from 'hast';
import { h, s } from 'hastscript';
import type { Outcome, Verdict } from '../../harness/model/report.ts';
import { outcomeMarks } from '../model/marks.ts';

/** The meaning of a cell or a row. */
export type Sign = Outcome | 'note' | 'not-run';

/** The sign that reads without color, and its word. */
export const signs: Readonly<Record<Sign, { readonly sign: string; readonly word: string }>> = {
  ...outcomeMarks,
  note: { sign: 'i', word: 'note' },
  'not-applicable': { sign: '·', word: 'not applicable' },
  'not-run': { sign: '–', word: 'not run' },
};

/** A sign in its color and shape, with its word for readers who cannot see it. */
export function mark(sign: Sign, says: string = signs[sign].word): Element {
  return h('span', { className: ['mark', `is-${sign}`] }, [
    h('span', { ariaHidden: 'true' }, signs[sign].sign),
    h('span', { className: ['unseen'] }, says),
  ]);
}

/** Outlines in a square of 48 that tell the verdicts apart without color: circle, octagon, diamond, triangle. */
const outlines: Readonly<Record<Verdict, string>> = {
  conformant: 'M24 2a22 22 0 1 0 0 44a22 22 0 1 0 0-44z',
  'non-conformant': 'M15 2h18l13 13v18l-13 13h-18l-13-13v-18z',
  incomplete: 'M24 1l23 23l-23 23l-23-23z',
  error: 'M24 3l23 42h-46z',
};

const glyphs: Readonly<Record<Verdict, string>> = {
  conformant: 'M13 25l8 8l15-17',
  'non-conformant': 'M16 16l16 16M32 16l-16 16',
  incomplete: 'M18.500 19a5.500 5.500 0 1 1 7.700 5q-2.200 1-2.200 4M24 33.500v1',
  error: 'M24 19v12M24 37v1',
};

/** The sign of a verdict as a drawing. */
export function verdictSign(
  verdict: Verdict,
  colors?: { readonly fill: string; readonly stroke: string },
): Element {
  const size = '28';
  return s(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      className: ['verdict-sign'],
      viewBox: '0 0 48 48',
      width: size,
      height: size,
      ariaHidden: 'true',
      focusable: 'false',
    },
    [
      s('path', { className: ['outline'], d: outlines[verdict], ...(colors ? { fill: colors.fill } : {}) }),
      s('path', {
        className: ['glyph'],
        d: glyphs[verdict],
        fill: 'none',
        strokeWidth: '5',
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        ...(colors ? { stroke: colors.stroke } : {}),
      }),
    ],
  );
}
