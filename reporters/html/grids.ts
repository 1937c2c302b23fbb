import type { Element } from 'hast';
import { h } from 'hastscript';
import type { CoverageEntry } from '../../harness/model/report.ts';
import { type Standing, standingMarks } from '../model/marks.ts';
import { type OperationStanding, sectionsOf, standingsOf } from '../model/standing.ts';
import { number } from '../model/wording.ts';
import { gridView, mark, operationName, type Sign, sectionView, shown, signs, signView } from './elements.ts';
import { type Matrix, type MatrixCell, matrixOf } from './matrix-cells.ts';
import type { PageModel } from './page-model.ts';

const standingSigns: Readonly<Record<Standing, Sign>> = {
  conforms: 'pass',
  fails: 'fail',
  'partly-tested': 'inconclusive',
  'partly-run': 'inconclusive',
  'not-tested': 'inconclusive',
  'not-run': 'not-run',
  'harness-error': 'error',
};

function areaCell(operation: string, area: string, { outcome, counts, anchor }: MatrixCell): Element {
  const { sign, word } = signs[outcome];
  const words =
    outcome === 'not-run' || outcome === 'not-applicable'
      ? word
      : [...counts]
          .filter(([counted]) => counted !== 'not-applicable')
          .map(([counted, count]) => `${count} ${signs[counted].word}`)
          .join(', ');
  const title = `${shown(operation, 120)}, ${shown(area, 60)}: ${words}`;
  return anchor === null
    ? h(`td.cell-${outcome}`, { title }, signView(sign, words))
    : h(`td.cell-${outcome}`, h('a', { href: `#${anchor}`, title, ariaLabel: title }, sign));
}

function operationRow({ operation, standing }: OperationStanding, matrix: Matrix): Element {
  return h('tr', { dataOperations: operation.id, dataLine: '' }, [
    h('th', { scope: 'row', title: `${shown(operation.method, 20)} ${shown(operation.path, 300)}` }, [
      mark(standingSigns[standing], standingMarks[standing].word),
      ' ',
      operationName(operation.id),
      operation.idIsOurs ? '*' : '',
    ]),
    ...matrix.areas.map((area) => areaCell(operation.id, area, matrix.cellOf(operation.id, area))),
  ]);
}

/** The operations by areas of requirements; a cell that did not pass links to its reason. */
export function operationsSection(model: PageModel): Element {
  const matrix = matrixOf(model);
  const rows = standingsOf(model.report);
  const headings = matrix.areas.map((area) => h('th.area', { scope: 'col' }, h('span', shown(area, 40))));
  const groups = sectionsOf(rows).map(({ title, rows: own }) =>
    h('tbody', [
      h('tr.group', h('th', { scope: 'rowgroup', colSpan: matrix.areas.length + 1 }, title)),
      ...own.map((row) => operationRow(row, matrix)),
    ]),
  );
  return sectionView('operations', 'Operations by area', [
    gridView('operations', '.matrix', 'Each cell shows its worst case; a link leads to the reason.', [
      h('thead', h('tr', [h('th', { scope: 'col' }, 'Operation'), ...headings])),
      ...groups,
    ]),
    rows.some(({ operation }) => operation.idIsOurs)
      ? h('p.quiet', '* The contract gives no operationId; the name is the harness’s own.')
      : null,
  ]);
}

const unknownStatus = 'the contract does not have this status';

function statusCell(
  operation: string,
  status: string,
  entry: CoverageEntry | undefined,
  isViolation: boolean,
): Element {
  const observed = entry?.observed ?? 0;
  const words =
    entry === undefined || observed === 0
      ? `not observed: ${shown(entry?.reason ?? unknownStatus, 300)}`
      : `observed ${number(observed)} times${entry.undocumented ? `; ${unknownStatus}${isViolation ? '' : ', and no case failed for it'}` : ''}`;
  const look = observed === 0 ? 'unseen-status' : isViolation ? 'cell-error' : 'seen';
  const title = `${shown(operation, 120)}, ${status}: ${words}`;
  return h(`td.${look}`, { title }, signView(observed === 0 ? '·' : number(observed), words));
}

/** How often each operation answered with each status; tooltips give the reason where it never did. */
export function statusesSection({ report, causes }: PageModel): Element | null {
  const { coverage, operations, traffic } = report;
  if (coverage.length === 0) return null;
  // A response that was cut off, or came outside of the cases, counts only in the last row.
  const seen = Object.keys(traffic.byStatus).filter((status) => (traffic.byStatus[status] ?? 0) > 0);
  const statuses = [...new Set([...coverage.map(({ status }) => String(status)), ...seen])].sort();
  const documented = coverage.filter(({ undocumented }) => undocumented !== true);
  const observed = documented.filter((entry) => entry.observed > 0).length;
  const byKey = new Map(coverage.map((entry) => [`${entry.status} ${entry.operation}`, entry]));
  const violations = new Set(
    causes
      .filter(({ weight }) => weight === 'fail')
      .flatMap(({ members }) => members)
      .map(({ operation, finding }) => `${finding?.exchange.response?.status} ${operation}`),
  );
  const cellOf = (operation: string, status: string): Element => {
    const key = `${status} ${operation}`;
    const entry = byKey.get(key);
    return statusCell(operation, status, entry, entry?.undocumented === true && violations.has(key));
  };
  const columns = (cell: (status: string) => Element): Element[] => statuses.map(cell);
  return sectionView('statuses', 'Observed statuses', [
    h(
      'p.quiet',
      `${number(observed)} of ${number(documented.length)} pairs of operation and documented status were observed. Point at a cell for its reason.`,
    ),
    gridView('statuses', '', 'Number of responses by operation and status', [
      h(
        'thead',
        h('tr', [
          h('th', { scope: 'col' }, 'Operation'),
          ...columns((status) => h('th', { scope: 'col' }, shown(status, 20))),
        ]),
      ),
      h(
        'tbody',
        operations.map(({ id }) =>
          h('tr', { dataOperations: id, dataLine: '' }, [
            h('th', { scope: 'row' }, operationName(id)),
            ...columns((status) => cellOf(id, status)),
          ]),
        ),
      ),
      h(
        'tfoot',
        h('tr', [
          h('th', { scope: 'row' }, 'All requests'),
          ...columns((status) => h('td', number(traffic.byStatus[status] ?? 0))),
        ]),
      ),
    ]),
  ]);
}
