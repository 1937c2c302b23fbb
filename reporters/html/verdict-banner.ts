import type { Element } from 'hast';
import { h, s } from 'hastscript';
import type { Report, Verdict } from '../../harness/model/report.ts';
import { verdictMarks } from '../model/marks.ts';
import { wayToTarget } from '../model/way-to-target.ts';
import { duration } from '../model/wording.ts';
import { code, shown } from './shown-text.ts';

/** The outline by which a verdict is known without its colour, in a square of 48. */
const outlines: Readonly<Record<Verdict, string>> = {
  // Circle, octagon, diamond, triangle.
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
  colours?: { readonly fill: string; readonly stroke: string },
): Element {
  return s(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      className: ['verdict-sign'],
      viewBox: '0 0 48 48',
      width: '56',
      height: '56',
      ariaHidden: 'true',
      focusable: 'false',
    },
    [
      s('path', { className: ['outline'], d: outlines[verdict], ...(colours ? { fill: colours.fill } : {}) }),
      s('path', {
        className: ['glyph'],
        d: glyphs[verdict],
        fill: 'none',
        strokeWidth: '5',
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        ...(colours ? { stroke: colours.stroke } : {}),
      }),
    ],
  );
}

/** `2026-08-01 10:00:00 UTC` */
function instant(startedAt: string): string {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)/.exec(startedAt);
  return match === null ? shown(startedAt, 60) : `${match[1]} ${match[2]} UTC`;
}

/** The verdict in a word, a shape and a colour, of what, and when. */
export function verdictBanner({ verdict, target, run, harness }: Report): Element {
  const word = verdictMarks[verdict].word;
  return h('header', { className: ['banner', `verdict-${verdict}`] }, [
    verdictSign(verdict),
    h('div', [
      h('h1', `${word.charAt(0).toUpperCase()}${word.slice(1)}${run.interrupted ? ', interrupted' : ''}`),
      h('p', { className: ['target'] }, [code(target.baseUrl, 600), shown(wayToTarget(target), 300)]),
      h('p', { className: ['when'] }, [
        h('time', { dateTime: shown(run.startedAt, 60) }, instant(run.startedAt)),
        ` · took ${duration(run.durationMs)} · seed ${run.seed} · ${shown(harness.name, 60)} ${shown(harness.version, 60)}`,
      ]),
    ]),
  ]);
}
