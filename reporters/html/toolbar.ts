import type { Element } from 'hast';
import { h } from 'hastscript';
import { number } from '../model/wording.ts';
import { type Sign, signs } from './mark.ts';
import type { PageModel } from './page-model.ts';
import { shown } from './shown-text.ts';

function navigation({ causes, entries, open, report }: PageModel): Element {
  const count = (value: number): string => (value > 0 ? ` ${number(value)}` : '');
  const cases = open.reduce((sum, group) => sum + group.cases.length, 0);
  const places: ReadonlyArray<readonly [href: string, text: string, there: boolean]> = [
    ['#causes', `Causes${count(causes.length)}`, true],
    ['#open', `Not judged${count(cases)}`, open.length > 0],
    ['#matrix', 'Operations', true],
    ['#findings', `Findings${count(entries.length)}`, entries.length > 0],
    ['#errors', `Harness errors${count(report.summary.error)}`, report.summary.error > 0],
    ['#ledger', 'Coverage', report.coverage.length > 0],
    ['#traffic', 'Traffic', true],
    ['#run', 'Run', true],
  ];
  return h('nav', { ariaLabel: 'Parts of the report' }, [
    h(
      'ul',
      places.map(([href, text, there]) => (there ? h('li', h('a', { href }, text)) : null)),
    ),
  ]);
}

function filter({ entries, open, report }: PageModel): Element {
  const present = new Set<Sign>([
    ...entries.map(({ weight }) => weight),
    ...(open.length > 0 ? (['inconclusive'] as const) : []),
    ...(report.summary.error > 0 ? (['error'] as const) : []),
  ]);
  const outcomes = (['fail', 'warn', 'note', 'inconclusive', 'error'] as const).filter((sign) =>
    present.has(sign),
  );
  return h('form', { role: 'search', ariaLabel: 'Filter the report', hidden: true, dataFilter: '' }, [
    h('label', [
      h('span', 'Search'),
      h('input', { type: 'search', name: 'text', autoComplete: 'off', placeholder: 'text, id, status …' }),
    ]),
    h('label', [
      h('span', 'Outcome'),
      h('select', { name: 'outcome', autoComplete: 'off' }, [
        h('option', { value: '' }, 'all'),
        ...outcomes.map((sign) => h('option', { value: sign }, signs[sign].word)),
      ]),
    ]),
    h('label', [
      h('span', 'Operation'),
      h('select', { name: 'operation', autoComplete: 'off' }, [
        h('option', { value: '' }, 'all'),
        ...report.operations.map(({ id }) => h('option', { value: id }, shown(id, 120))),
      ]),
    ]),
    h('button', { type: 'reset' }, 'Clear'),
    h('p', { role: 'status', dataStatus: '' }),
  ]);
}

/** Ways to the parts of the report and, where the script runs, to some of its entries only. */
export function toolbar(model: PageModel): Element {
  return h('div', { className: ['toolbar'] }, [navigation(model), filter(model)]);
}
