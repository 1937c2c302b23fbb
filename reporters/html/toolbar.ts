import type { Element } from 'hast';
import { h } from 'hastscript';
import { wasTested } from '../model/run-figures.ts';
import { type Sign, signs } from './mark.ts';
import type { PageModel } from './page-model.ts';
import { shown } from './shown-text.ts';

function navigation({ open, errors, report }: PageModel): Element {
  const tested = wasTested(report);
  const places: ReadonlyArray<readonly [href: string, text: string, exists: boolean]> = [
    ['#errors', 'Harness errors', errors.length > 0],
    ['#causes', 'Root causes', tested],
    ['#open', 'Not tested', tested && open.length > 0],
    ['#operations', 'Operations', tested],
    ['#statuses', 'Statuses', tested && report.coverage.length > 0],
    ['#traffic', 'Requests', true],
    ['#run', 'Run', true],
  ];
  return h('nav', { ariaLabel: 'Parts of the report' }, [
    h(
      'ul',
      places.map(([href, text, exists]) => (exists ? h('li', h('a', { href }, text)) : null)),
    ),
  ]);
}

function filter({ rootCauses, open, errors, notes, report }: PageModel): Element {
  const present = new Set<Sign>([
    ...rootCauses.map(({ group }) => group.weight),
    ...(notes.length > 0 ? (['note'] as const) : []),
    ...(open.length > 0 ? (['inconclusive'] as const) : []),
    ...(errors.length > 0 ? (['error'] as const) : []),
  ]);
  const outcomes = (['fail', 'warn', 'note', 'inconclusive', 'error'] as const).filter((sign) =>
    present.has(sign),
  );
  return h('form', { role: 'search', ariaLabel: 'Filter the report', hidden: true, dataFilter: '' }, [
    h('input', {
      type: 'search',
      name: 'text',
      autoComplete: 'off',
      placeholder: 'Search',
      ariaLabel: 'Search',
      ariaKeyShortcuts: '/',
    }),
    h('select', { name: 'outcome', autoComplete: 'off', ariaLabel: 'Outcome' }, [
      h('option', { value: '' }, 'all outcomes'),
      ...outcomes.map((sign) => h('option', { value: sign }, signs[sign].word)),
    ]),
    h('select', { name: 'operation', autoComplete: 'off', ariaLabel: 'Operation' }, [
      h('option', { value: '' }, 'all operations'),
      ...report.operations.map(({ id }) => h('option', { value: id }, shown(id, 120))),
    ]),
    h('button', { type: 'reset' }, 'Clear'),
    h('p', { role: 'status', dataStatus: '' }),
    h(
      'p',
      { className: ['keys'] },
      keys.map(([key, does]) => h('span', [h('kbd', key), ` ${does} `])),
    ),
  ]);
}

const keys: ReadonlyArray<readonly [key: string, does: string]> = [
  ['j', 'next'],
  ['k', 'previous'],
  ['enter', 'open'],
  ['/', 'search'],
  ['esc', 'close'],
];

/** Links to the sections and, with a script, the filters and the keys. */
export function toolbar(model: PageModel): Element {
  return h('div', { className: ['toolbar'] }, [navigation(model), filter(model)]);
}
