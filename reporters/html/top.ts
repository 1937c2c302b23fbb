import type { Element } from 'hast';
import { h } from 'hastscript';
import { verdictMarks } from '../model/marks.ts';
import { operationsOf } from '../model/root-causes.ts';
import { reasonsOf } from '../model/run-figures.ts';
import { standingsOf } from '../model/standing.ts';
import { wayToTarget } from '../model/way-to-target.ts';
import { duration, number, plural } from '../model/wording.ts';
import { inlineChange } from './expected-got.ts';
import { mark, verdictSign } from './mark.ts';
import { openAnchor, type PageModel } from './page-model.ts';
import { code, prose, shown } from './shown-text.ts';

const most = 3;

/** A sentence with a capital, unless it begins with something else than a plain word, such as a URL. */
export function sentence(text: string): string {
  return /^[a-z]+[ ,:]/.test(text) && !/^[a-z]+:\/\//.test(text)
    ? text.charAt(0).toUpperCase() + text.slice(1)
    : text;
}

/** `2026-08-01 10:00 UTC` */
function instant(startedAt: string): string {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(startedAt);
  return match === null ? shown(startedAt, 60) : `${match[1]} ${match[2]} UTC`;
}

function verdict({ report }: PageModel): Element {
  const { target, run } = report;
  const { word } = verdictMarks[report.verdict];
  return h('div', { className: ['verdict'] }, [
    h('h1', [
      verdictSign(report.verdict),
      `${word.charAt(0).toUpperCase()}${word.slice(1)}${run.interrupted ? ', interrupted' : ''}`,
    ]),
    h('p', { className: ['target'] }, [code(target.baseUrl, 300), shown(wayToTarget(target), 300)]),
    h('p', { className: ['quiet'] }, [
      h('time', { dateTime: shown(run.startedAt, 60) }, instant(run.startedAt)),
      ` · ${duration(run.durationMs)} · ${plural(report.traffic.requests, 'request')} · seed ${run.seed}`,
    ]),
  ]);
}

function figures(model: PageModel): Element {
  const { report, rootCauses, open } = model;
  const { inconclusive, error } = report.summary;
  const failing = rootCauses.filter(({ group }) => group.weight === 'fail').length;
  const conforming = standingsOf(report).filter(({ standing }) => standing === 'conforms').length;
  const shownFigures: ReadonlyArray<
    readonly [name: string, value: string, href: string | null, tone: string | null]
  > = [
    ['root causes', number(failing), failing > 0 ? '#causes' : null, failing > 0 ? 'bad' : null],
    [
      'warnings',
      number(rootCauses.length - failing),
      rootCauses.length > failing ? '#causes' : null,
      rootCauses.length > failing ? 'doubt' : null,
    ],
    ['operations conform', `${number(conforming)}/${number(report.operations.length)}`, '#operations', null],
    [
      'cases not tested',
      number(inconclusive + error),
      open.length > 0 ? '#open' : null,
      inconclusive + error > 0 ? 'open' : null,
    ],
  ];
  return h(
    'dl',
    { className: ['figures'] },
    shownFigures.map(([name, value, href, tone]) =>
      h('div', [
        h('dt', name),
        h(
          'dd',
          { className: tone === null ? [] : [`tone-${tone}`] },
          href === null ? value : h('a', { href }, value),
        ),
      ]),
    ),
  );
}

function list(title: string, items: readonly Element[], all: string): Element {
  const more = items.length - most;
  return h('div', { className: ['first'] }, [
    h('h2', [title, more > 0 ? [' · ', h('a', { href: all }, `${number(more)} more`)] : null]),
    h('ol', items.slice(0, most)),
  ]);
}

function whatToDo(model: PageModel): Element {
  const { report, rootCauses, open } = model;
  if (rootCauses.length > 0) {
    const items = rootCauses.map(({ group, anchor }) => {
      const operations = operationsOf(group);
      return h('li', [
        mark(group.weight),
        h('a', { href: `#${anchor}` }, prose(group.headline, 140)),
        inlineChange(group.example),
        h(
          'span',
          { className: ['quiet'] },
          operations.length === 1 ? shown(operations[0] ?? '', 60) : plural(operations.length, 'operation'),
        ),
      ]);
    });
    return list('Fix first', items, '#causes');
  }
  if (open.length > 0 && report.run.unreachable === undefined) {
    const items = open.map(({ remedy, cases }, index) =>
      h('li', [
        mark('inconclusive'),
        h('a', { href: `#${openAnchor(index)}` }, prose(remedy.text.replaceAll(/\s+/g, ' '), 90)),
        h('span', { className: ['quiet'] }, plural(cases.length, 'case')),
      ]),
    );
    return list('To complete this run', items, '#open');
  }
  return h('div', { className: ['first'] }, [
    h('h2', 'Result'),
    ...reasonsOf(report)
      .slice(0, most)
      .map((reason) => h('p', prose(sentence(reason), 300))),
  ]);
}

/** Why the verdict is not better, where root causes do not say it. */
function reasons({ report, rootCauses, open }: PageModel): Element | null {
  const isListed = rootCauses.length === 0 && (open.length === 0 || report.run.unreachable !== undefined);
  const told = report.reasons.filter((reason) => !/^\d+ cases? failed/.test(reason));
  if (isListed || told.length === 0) return null;
  return h('p', { className: ['reasons'] }, prose(told.map(sentence).join(' · '), 240));
}

/** The first screen: verdict, target, four figures, and what to do first. */
export function topSection(model: PageModel): Element {
  return h('header', { className: ['top', `verdict-${model.report.verdict}`] }, [
    verdict(model),
    figures(model),
    whatToDo(model),
    reasons(model),
  ]);
}
