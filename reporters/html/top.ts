import type { Element } from 'hast';
import { h } from 'hastscript';
import { verdictMarks } from '../model/marks.ts';
import { reasonOf } from '../model/open-cases.ts';
import { operationsOf } from '../model/root-causes.ts';
import { reasonsOf, wasTested } from '../model/run-figures.ts';
import { standingsOf } from '../model/standing.ts';
import { wayToTarget } from '../model/way-to-target.ts';
import { duration, number, plural, sentence } from '../model/wording.ts';
import { mark, verdictSign } from './mark.ts';
import { openAnchor, type PageModel } from './page-model.ts';
import { code, prose, shown } from './shown-text.ts';

const most = 3;

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
      ` · ${duration(run.durationMs)} · ${plural(report.traffic.requests, 'request')}`,
    ]),
  ]);
}

function figures(model: PageModel): Element {
  const { report, rootCauses, open } = model;
  const { inconclusive, error } = report.summary;
  const failing = rootCauses.filter(({ group }) => group.weight === 'fail').length;
  const warnings = rootCauses.length - failing;
  const conforming = standingsOf(report).filter(({ standing }) => standing === 'conforms').length;
  const shownFigures: ReadonlyArray<
    readonly [name: string, value: string, href: string | null, tone: string | null]
  > = [
    [
      failing === 1 ? 'root cause' : 'root causes',
      number(failing),
      failing > 0 ? '#causes' : null,
      failing > 0 ? 'bad' : null,
    ],
    [
      warnings === 1 ? 'warning' : 'warnings',
      number(warnings),
      warnings > 0 ? '#causes' : null,
      warnings > 0 ? 'doubt' : null,
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
        h(
          'span',
          { className: ['quiet'] },
          operations.length === 1 ? shown(operations[0] ?? '', 60) : plural(operations.length, 'operation'),
        ),
      ]);
    });
    return list('Fix first', items, '#causes');
  }
  if (open.length > 0 && wasTested(report)) {
    const items = open.map(({ cases }, index) =>
      h('li', [
        mark('inconclusive'),
        h('a', { href: `#${openAnchor(index)}` }, prose(reasonOf(cases), 140)),
        h('span', { className: ['quiet'] }, plural(cases.length, 'case')),
      ]),
    );
    return list('To complete this run', items, '#open');
  }
  return h('div', { className: ['first'] }, [
    h('h2', wasTested(report) ? 'Result' : 'No verdict'),
    ...reasonsOf(report)
      .slice(0, most)
      .map((reason) => h('p', prose(sentence(reason), 400))),
  ]);
}

/** Why the verdict is not better, where root causes do not say it. */
function reasons({ report, rootCauses, open }: PageModel): Element | null {
  const isListed = rootCauses.length === 0 && (open.length === 0 || !wasTested(report));
  const [first, ...others] = report.reasons.filter((reason) => !/^\d+ cases? failed/.test(reason));
  if (isListed || first === undefined) return null;
  return h('p', { className: ['reasons'] }, [
    prose(sentence(first), 200),
    ...(others.length === 0 ? [] : [' · ', h('a', { href: '#run' }, plural(others.length, 'more reason'))]),
  ]);
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
