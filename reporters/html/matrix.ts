import type { Element } from 'hast';
import { h } from 'hastscript';
import { standingMarks } from '../model/marks.ts';
import { sectionsOf } from '../model/operation-groups.ts';
import { type OperationStanding, type Standing, standingsOf } from '../model/standing.ts';
import { mark, type Sign, signs } from './mark.ts';
import { type Matrix, type MatrixCell, matrixOf } from './matrix-cells.ts';
import type { PageModel } from './page-model.ts';
import { operationName, shown } from './shown-text.ts';

const standingSigns: Readonly<Record<Standing, Sign>> = {
  conforms: 'pass',
  fails: 'fail',
  'partly-tested': 'inconclusive',
  'partly-run': 'inconclusive',
  'not-tested': 'inconclusive',
  'not-run': 'not-run',
  'harness-error': 'error',
};

function countsInWords({ counts, outcome }: MatrixCell): string {
  if (outcome === 'not-run' || outcome === 'not-applicable') return signs[outcome].word;
  return [...counts]
    .filter(([counted]) => counted !== 'not-applicable')
    .map(([counted, count]) => `${count} ${signs[counted].word}`)
    .join(', ');
}

function cellView(operation: string, area: string, cell: MatrixCell): Element {
  const words = countsInWords(cell);
  const title = `${shown(operation, 120)}, ${shown(area, 60)}: ${words}`;
  if (cell.anchor === null) return h('td', { title }, mark(cell.outcome, words));
  return h('td', h('a', { href: `#${cell.anchor}`, title, ariaLabel: title }, mark(cell.outcome)));
}

function rowView({ operation, standing }: OperationStanding, matrix: Matrix): Element {
  return h('tr', { dataOperations: operation.id, dataRow: '' }, [
    h('th', { scope: 'row', title: `${shown(operation.method, 20)} ${shown(operation.path, 300)}` }, [
      h('span', { className: ['row-name'] }, [
        mark(standingSigns[standing], standingMarks[standing].word),
        h('span', [operationName(operation.id), operation.idIsOurs ? '*' : '']),
      ]),
    ]),
    ...matrix.areas.map((area) => cellView(operation.id, area, matrix.cellOf(operation.id, area))),
  ]);
}

function legend(hasOurs: boolean): Element {
  const shownSigns: readonly Sign[] = [
    'pass',
    'fail',
    'warn',
    'inconclusive',
    'error',
    'not-applicable',
    'not-run',
  ];
  return h('p', { className: ['legend'] }, [
    ...shownSigns.map((sign) => h('span', [mark(sign), ` ${signs[sign].word} `])),
    hasOurs ? h('span', '* our name: the contract gives no id') : null,
  ]);
}

/** The operations, in the contract's groups, by areas of requirements; what is not plainly good leads to its reason. */
export function matrixSection(model: PageModel): Element {
  const matrix = matrixOf(model);
  const rows = standingsOf(model.report);
  const width = matrix.areas.length + 1;
  return h('section', { id: 'matrix', ariaLabelledBy: 'matrix-title' }, [
    h('h2', { id: 'matrix-title' }, 'Operations by area of requirements'),
    legend(rows.some(({ operation }) => operation.idIsOurs)),
    h('div', { className: ['scroll'], tabIndex: 0, role: 'group', ariaLabelledBy: 'matrix-title' }, [
      h('table', { className: ['matrix'] }, [
        h(
          'caption',
          { className: ['unseen'] },
          'Each cell is as bad as its worst case; a cell that is a link leads to what was found.',
        ),
        h(
          'thead',
          h('tr', [
            h('th', { scope: 'col' }, 'Operation'),
            ...matrix.areas.map((area) =>
              h('th', { scope: 'col', className: ['area'] }, h('span', shown(area, 40))),
            ),
          ]),
        ),
        ...sectionsOf(rows).map((section) =>
          h('tbody', [
            h('tr', { className: ['group'] }, h('th', { scope: 'rowgroup', colSpan: width }, section.title)),
            ...section.rows.map((row) => rowView(row, matrix)),
          ]),
        ),
      ]),
    ]),
  ]);
}
