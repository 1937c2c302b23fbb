import type { Element } from 'hast';
import { h } from 'hastscript';
import { type Tone, verdictMarks } from '../model/marks.ts';
import { type OpenCases, reasonOf } from '../model/open-cases.ts';
import type { RootCauseGroup } from '../model/root-causes.ts';
import { profileOf, reasonsOf, wasTested, wayToTarget } from '../model/run-figures.ts';
import { standingsOf } from '../model/standing.ts';
import { duration, number, plural, sentence } from '../model/wording.ts';
import {
  type Content,
  code,
  mark,
  operationsView,
  prose,
  type Sign,
  shown,
  signs,
  verdictSign,
} from './elements.ts';
import type { PageModel } from './page-model.ts';
import { mostRows } from './rows.ts';

const mostReasons = 3;

/** `2026-08-01 10:00 UTC` */
function instant(startedAt: string): string {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(startedAt);
  return match === null ? shown(startedAt, 60) : `${match[1]} ${match[2]} UTC`;
}

function verdict({ report }: PageModel): Element {
  const { target, run, traffic } = report;
  const { word } = verdictMarks[report.verdict];
  return h('div.verdict', [
    h('h1', [
      verdictSign(report.verdict),
      `${word.charAt(0).toUpperCase()}${word.slice(1)}${run.interrupted ? ', interrupted' : ''}`,
      h('span.badge', `profile ${shown(profileOf(report), 20)}`),
    ]),
    h('p.target', [code(target.baseUrl, 300), shown(wayToTarget(target), 300)]),
    h('p.quiet', [
      h('time', { dateTime: shown(run.startedAt, 60) }, instant(run.startedAt)),
      ` · ${duration(run.durationMs)} · ${plural(traffic.requests, 'request')}`,
    ]),
  ]);
}

function figures({ report, causes, open }: PageModel): Element {
  const { inconclusive, error } = report.summary;
  const failing = causes.filter(({ weight }) => weight === 'fail').length;
  const warnings = causes.length - failing;
  const untested = inconclusive + error;
  const conforming = standingsOf(report).filter(({ standing }) => standing === 'conforms').length;
  const conform = `${number(conforming)}/${number(report.operations.length)}`;
  const figure = (name: string, value: string, href: string | false, tone: Tone | false): Element =>
    h('div', [h('dt', name), h(tone ? `dd.tone-${tone}` : 'dd', href ? h('a', { href }, value) : value)]);
  const count = (name: string, value: number, tone: Tone): Element =>
    figure(value === 1 ? name : `${name}s`, number(value), value > 0 && '#causes', value > 0 && tone);
  return h('dl.figures', [
    count('root cause', failing, 'bad'),
    count('warning', warnings, 'doubt'),
    figure('operations conform', conform, wasTested(report) && '#operations', false),
    figure('cases not tested', number(untested), open.length > 0 && '#open', untested > 0 && 'open'),
  ]);
}

/** All that there is to do; a long list scrolls. */
function whatToDo({ report, causes, open, anchors }: PageModel): Element {
  const list = (title: string, items: readonly Element[]): Element =>
    h('div.first', [h('h2', title), h('ol', { tabIndex: 0, ariaLabel: title }, [...items])]);
  const item = (sign: Sign, place: RootCauseGroup | OpenCases, says: Element, where: Content): Element =>
    h('li', [mark(sign), h('a', { href: `#${anchors.get(place)}` }, says), h('span.quiet', [where].flat())]);
  if (causes.length > 0) {
    const items = causes
      .slice(0, mostRows)
      .map((cause) => item(cause.weight, cause, prose(cause.headline), operationsView(cause.operations)));
    return list('Fix first', items);
  }
  if (open.length > 0) {
    const items = open.map((group) =>
      item('inconclusive', group, prose(reasonOf(group.cases)), plural(group.cases.length, 'case')),
    );
    return list('To complete this run', items);
  }
  const reasons = reasonsOf(report).slice(0, mostReasons);
  return h('div.first', [
    h('h2', wasTested(report) ? 'Result' : 'No verdict'),
    ...reasons.map((reason) => h('p', prose(sentence(reason), 400))),
  ]);
}

/** Why the verdict is not better, where the list does not say it. */
function reasons({ report, causes, open }: PageModel): Element | null {
  const [first, ...others] = report.reasons.filter((reason) => !/^\d+ cases? failed/.test(reason));
  if (causes.length + open.length === 0 || first === undefined) return null;
  return h('p.reasons', [
    prose(sentence(first), 200),
    ...(others.length === 0 ? [] : [' · ', h('a', { href: '#run' }, plural(others.length, 'more reason'))]),
  ]);
}

/** The first screen: verdict, target, four figures, and the first steps. */
export function topSection(model: PageModel): Element {
  return h(`header.top.verdict-${model.report.verdict}`, [
    verdict(model),
    figures(model),
    whatToDo(model),
    reasons(model),
  ]);
}

const keys: ReadonlyArray<readonly [key: string, does: string]> = [
  ['j', 'next'],
  ['k', 'previous'],
  ['enter', 'open'],
  ['/', 'search'],
  ['esc', 'close'],
];

function filter({ causes, notes, open, errors, report }: PageModel): Element {
  const present: readonly (Sign | false)[] = [
    causes.some(({ weight }) => weight === 'fail') && 'fail',
    causes.some(({ weight }) => weight === 'warn') && 'warn',
    notes.length > 0 && 'note',
    open.length > 0 && 'inconclusive',
    errors.length > 0 && 'error',
  ];
  const outcomes = present.flatMap((sign) => (sign ? [[sign, signs[sign].word] as const] : []));
  const select = (name: string, label: string, options: readonly (readonly [string, string])[]): Element =>
    h('select', { name, autoComplete: 'off', ariaLabel: label }, [
      ...options.map(([value, text]) => h('option', { value }, text)),
    ]);
  const search = { type: 'search', name: 'text', placeholder: 'Search', ariaLabel: 'Search' };
  const operations = report.operations.map(({ id }) => [id, shown(id, 120)] as const);
  return h('form', { role: 'search', ariaLabel: 'Filter the report', hidden: true, dataFilter: '' }, [
    h('input', { ...search, autoComplete: 'off', ariaKeyShortcuts: '/' }),
    select('outcome', 'Outcome', [['', 'all outcomes'], ...outcomes]),
    select('operation', 'Operation', [['', 'all operations'], ...operations]),
    h('button', { type: 'reset' }, 'Clear'),
    h('p', { role: 'status', dataStatus: '' }),
    h('p.keys', [...keys.map(([key, does]) => h('span', [h('kbd', key), ` ${does} `]))]),
  ]);
}

/** Links to the sections and, with a script, the filters and the keys. */
export function toolbar(model: PageModel): Element {
  const { sections, report } = model;
  const tested = wasTested(report);
  const places: ReadonlyArray<readonly [id: string, text: string, exists: boolean]> = [
    ['gate', 'Baseline', sections.has('gate')],
    ['errors', 'Harness errors', sections.has('errors')],
    ['causes', 'Root causes', tested],
    ['open', 'Not tested', sections.has('open')],
    ['operations', 'Operations', tested],
    ['statuses', 'Statuses', tested && report.coverage.length > 0],
    ['traffic', 'Requests', true],
    ['custom', 'Custom checks', tested && sections.has('custom')],
    ['run', 'Run', true],
  ];
  const links = places
    .filter(([, , exists]) => exists)
    .map(([id, text]) => h('li', h('a', { href: `#${id}` }, text)));
  return h('div.toolbar', [h('nav', { ariaLabel: 'Parts of the report' }, h('ul', links)), filter(model)]);
}
