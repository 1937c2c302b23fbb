import type { Element } from 'hast';
import { h, s } from 'hastscript';
import type { Summary } from '../../harness/model/report.ts';
import { standingMarks } from '../model/marks.ts';
import { type Standing, standingsOf } from '../model/standing.ts';
import { number, plural } from '../model/wording.ts';
import { reasonsOf } from '../terminal/verdict.ts';
import { mark, signs } from './mark.ts';
import { nextSteps } from './next-steps.ts';
import type { PageModel } from './page-model.ts';
import { prose } from './shown-text.ts';

const counted = ['pass', 'fail', 'warn', 'inconclusive', 'error'] as const;
const tellsMore: Readonly<Partial<Record<(typeof counted)[number], string>>> = {
  fail: '#causes',
  warn: '#causes',
  inconclusive: '#open',
  error: '#errors',
};

/** Cases by outcome as one bar; its legend says the same in words. */
function bar(summary: Summary): Element | null {
  const whole = counted.reduce((sum, outcome) => sum + summary[outcome], 0);
  if (whole === 0) return null;
  let start = 0;
  const parts = counted.map((outcome) => {
    const width = (summary[outcome] / whole) * 100;
    const at = start;
    start += width;
    return width === 0
      ? null
      : s('rect', {
          className: [`fill-${outcome}`],
          x: `${at.toFixed(3)}%`,
          width: `${width.toFixed(3)}%`,
          height: '16',
        });
  });
  return s(
    'svg',
    { className: ['bar'], width: '100%', height: '16', ariaHidden: 'true', focusable: 'false' },
    parts,
  );
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function legend(summary: Summary): Element {
  return h(
    'ul',
    { className: ['legend'] },
    counted.map((outcome) => {
      const count = summary[outcome];
      if (count === 0 && outcome === 'error') return null;
      const text = `${number(count)} ${signs[outcome].word}`;
      const target = tellsMore[outcome];
      return h('li', { className: count === 0 ? ['is-none'] : [] }, [
        mark(outcome),
        ' ',
        count > 0 && target !== undefined ? h('a', { href: target }, text) : text,
      ]);
    }),
  );
}

function operationsText({ report }: PageModel): string {
  const standings = standingsOf(report);
  const count = (standing: Standing): number => standings.filter((row) => row.standing === standing).length;
  const others = (Object.keys(standingMarks) as Standing[])
    .filter((standing) => standing !== 'conforms' && count(standing) > 0)
    .map((standing) => {
      const many = count(standing);
      return `${number(many)} ${standing === 'fails' && many > 1 ? 'fail' : standingMarks[standing].word}`;
    });
  return [`${number(count('conforms'))} of ${number(standings.length)} conform`, ...others].join(', ');
}

function judgedText({ report }: PageModel): string {
  const { pass, fail, warn, inconclusive, error, notApplicable } = report.summary;
  const evaluated = pass + fail + warn;
  const must = report.results.filter(
    ({ level, outcome }) => level === 'must' && outcome !== 'not-applicable',
  );
  const open = must.filter(({ outcome }) => outcome === 'inconclusive' || outcome === 'error').length;
  const share = `${number(evaluated)} of ${number(evaluated + inconclusive + error)} cases evaluated`;
  const ofMust = open === 0 ? '' : `, of a must ${number(must.length - open)} of ${number(must.length)}`;
  const apart = notApplicable === 0 ? '' : ` (${number(notApplicable)} more not applicable)`;
  return `${share}${ofMust}${apart}`;
}

function wrongText({ causes, violations }: PageModel): string | null {
  const found = [...violations.failures, ...violations.warnings];
  if (found.length === 0) return null;
  const operations = new Set(found.map(({ operation }) => operation)).size;
  return `${plural(causes.length, 'cause')}, ${plural(found.length, 'finding')} at ${plural(operations, 'operation')}`;
}

/** Why the verdict is what it is, and how much was and was not judged. */
export function summarySection(model: PageModel): Element {
  const wrong = wrongText(model);
  return h('section', { className: ['summary'], ariaLabelledBy: 'summary-title' }, [
    h('h2', { id: 'summary-title', className: ['unseen'] }, 'Summary'),
    h(
      'ul',
      { className: ['why'] },
      reasonsOf(model.report).map((reason) => h('li', prose(capitalised(reason)))),
    ),
    h('div', { className: ['figures'] }, [
      h('p', [h('b', 'Operations: '), operationsText(model)]),
      h('p', [h('b', 'Judged: '), judgedText(model)]),
      wrong === null ? null : h('p', [h('b', 'Wrong: '), wrong]),
      bar(model.report.summary),
      legend(model.report.summary),
    ]),
    h('div', { className: ['next'] }, nextSteps(model)),
  ]);
}
