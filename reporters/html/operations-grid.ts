import type { Element } from 'hast';
import { h } from 'hastscript';
import { standingMarks } from '../model/marks.ts';
import { sectionsOf } from '../model/operation-groups.ts';
import { type OperationStanding, type Standing, standingsOf } from '../model/standing.ts';
import { mark, type Sign, signs } from './mark.ts';
import { type Matrix, type MatrixCell, matrixOf } from './matrix-cells.ts';
import type { PageModel } from './page-model.ts';
import { sectionView } from './row.ts';
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
  const className = [`cell-${cell.outcome}`];
  if (cell.anchor === null) {
    return h('td', { title, className }, [
      h('span', { ariaHidden: 'true' }, signs[cell.outcome].sign),
      h('span', { className: ['unseen'] }, words),
    ]);
  }
  return h(
    'td',
    { className },
    h('a', { href: `#${cell.anchor}`, title, ariaLabel: title }, signs[cell.outcome].sign),
  );
}

function rowView({ operation, standing }: OperationStanding, matrix: Matrix): Element {
  return h('tr', { dataOperations: operation.id, dataLine: '' }, [
    h('th', { scope: 'row', title: `${shown(operation.method, 20)} ${shown(operation.path, 300)}` }, [
      mark(standingSigns[standing], standingMarks[standing].word),
      ' ',
      operationName(operation.id),
      operation.idIsOurs ? '*' : '',
    ]),
    ...matrix.areas.map((area) => cellView(operation.id, area, matrix.cellOf(operation.id, area))),
  ]);
}

/** The operations by areas of requirements; a cell that did not pass links to its reason. */
export function operationsSection(model: PageModel): Element {
  const matrix = matrixOf(model);
  const rows = standingsOf(model.report);
  return sectionView('operations', 'Operations by area', [
    h('div', { className: ['scroll'], tabIndex: 0, role: 'group', ariaLabelledBy: 'operations-title' }, [
      h('table', { className: ['grid', 'matrix'] }, [
        h(
          'caption',
          { className: ['unseen'] },
          'Each cell shows its worst case; a link leads to the reason.',
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
            h(
              'tr',
              { className: ['group'] },
              h('th', { scope: 'rowgroup', colSpan: matrix.areas.length + 1 }, section.title),
            ),
            ...section.rows.map((row) => rowView(row, matrix)),
          ]),
        ),
      ]),
    ]),
    rows.some(({ operation }) => operation.idIsOurs)
      ? h(
          'p',
          { className: ['quiet'] },
          '* The contract gives no operationId; the name is the harness’s own.',
        )
      : null,
  ]);
}
