import type { Element } from 'hast';
import { h } from 'hastscript';
import { groupBy } from '../../harness/group-by.ts';
import type { CaseResult, Outcome } from '../../harness/model/report.ts';
import { standingMarks } from '../model/marks.ts';
import { type OperationStanding, sectionsOf, standingsOf } from '../model/standing.ts';
import { number } from '../model/wording.ts';
import { gridView, mark, operationName, sectionView, shown, signs, signView } from './elements.ts';
import type { PageModel } from './page-model.ts';

interface MatrixCell {
  /** The gravest outcome; `not-run` where no case was planned. */
  readonly outcome: Outcome | 'not-run';
  readonly counts: ReadonlyMap<Outcome, number>;
  /** Id of the element with details. */
  readonly anchor: string | null;
}
interface Matrix {
  readonly areas: readonly string[];
  readonly cellOf: (operation: string, area: string) => MatrixCell;
}

const gravity: readonly Outcome[] = ['fail', 'error', 'inconclusive', 'warn', 'pass', 'not-applicable'];

/** The area of a check: the part of its id before the slash. */
export function areaOf(check: string): string {
  return check.split('/', 1)[0] ?? check;
}

/** Areas in the order in which the requirements name them first. */
function areasOf({ report, requirements }: PageModel): string[] {
  const order = new Map([...requirements.keys()].map((id, at) => [id, at]));
  const placeOf = (results: readonly CaseResult[]): number =>
    Math.min(...results.map(({ requirement }) => order.get(requirement) ?? order.size));
  return [...groupBy(report.results, ({ check }) => areaOf(check))]
    .map(([area, results]) => [area, placeOf(results)] as const)
    .sort(([a, m], [b, n]) => m - n || (a < b ? -1 : 1))
    .map(([area]) => area);
}

function keyOf(operation: string, check: string): string {
  return JSON.stringify([operation, areaOf(check)]);
}

/** Finds the place of each outcome on the page, by operation and area. */
function anchorsOf({ causes, notes, open, errors, anchors }: PageModel): Map<string, string> {
  const told = [
    ...causes.flatMap(({ weight, members }) => members.map((one) => [weight, one, one] as const)),
    ...notes.flat().map((one) => ['pass', one, one] as const),
    ...open.flatMap((group) => group.cases.map((one) => ['inconclusive', one, group] as const)),
    ...errors.map((one) => ['error', one, one] as const),
  ];
  const places = new Map<string, string>();
  for (const [outcome, { operation, check }, place] of told) {
    const key = `${outcome} ${keyOf(operation, check)}`;
    const anchor = anchors.get(place);
    if (anchor !== undefined && !places.has(key)) places.set(key, anchor);
  }
  return places;
}

/** Lays the results out by operation and area; a cell is as bad as its worst case. */
export function matrixOf(model: PageModel): Matrix {
  const byCell = groupBy(model.report.results, ({ operation, check }) => keyOf(operation, check));
  const anchors = anchorsOf(model);
  return {
    areas: areasOf(model),
    cellOf: (operation, area) => {
      const key = JSON.stringify([operation, area]);
      const byOutcome = groupBy(byCell.get(key) ?? [], ({ outcome }) => outcome);
      const counts = new Map(
        gravity.flatMap((one) => (byOutcome.has(one) ? [[one, byOutcome.get(one)?.length ?? 0]] : [])),
      );
      const [outcome = 'not-run'] = counts.keys();
      return { outcome, counts, anchor: anchors.get(`${outcome} ${key}`) ?? null };
    },
  };
}

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
      mark(standingMarks[standing].outcome, standingMarks[standing].word),
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
  const caption = 'Each cell shows its worst case; a link leads to the reason.';
  return sectionView('operations', 'Operations by area', [
    gridView('operations', '.matrix', caption, headings, groups),
    rows.some(({ operation }) => operation.idIsOurs)
      ? h('p.quiet', '* The contract gives no operationId; the name is the harness’s own.')
      : null,
  ]);
}

const unknownStatus = 'the contract does not have this status';

/** How often each operation answered with each status; tooltips give the reason where it never did. */
export function statusesSection({ report, causes }: PageModel): Element | null {
  const { coverage, operations, traffic } = report;
  if (coverage.length === 0) return null;
  // A response that was cut off, or came outside of the cases, counts only in the last row.
  const seen = Object.keys(traffic.byStatus).filter((status) => (traffic.byStatus[status] ?? 0) > 0);
  const statuses = [...new Set([...coverage.map(({ status }) => String(status)), ...seen])].sort();
  const documented = coverage.filter(({ undocumented }) => undocumented !== true);
  const pairs = documented.filter((entry) => entry.observed > 0).length;
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
    const observed = entry?.observed ?? 0;
    const isViolation = entry?.undocumented === true && violations.has(key);
    const words =
      entry === undefined || observed === 0
        ? `not observed: ${shown(entry?.reason ?? unknownStatus, 300)}`
        : `observed ${number(observed)} times${entry.undocumented ? `; ${unknownStatus}${isViolation ? '' : ', and no case failed for it'}` : ''}`;
    const look = observed === 0 ? 'unseen-status' : isViolation ? 'cell-error' : 'seen';
    const title = `${shown(operation, 120)}, ${status}: ${words}`;
    return h(`td.${look}`, { title }, signView(observed === 0 ? '·' : number(observed), words));
  };
  const headings = statuses.map((status) => h('th', { scope: 'col' }, shown(status, 20)));
  const rows = operations.map(({ id }) =>
    h('tr', { dataOperations: id, dataLine: '' }, [
      h('th', { scope: 'row' }, operationName(id)),
      ...statuses.map((status) => cellOf(id, status)),
    ]),
  );
  const observed = `${number(pairs)} of ${number(documented.length)} pairs of operation and documented status`;
  const sums = statuses.map((status) => h('td', number(traffic.byStatus[status] ?? 0)));
  return sectionView('statuses', 'Observed statuses', [
    h('p.quiet', `${observed} were observed. Point at a cell for its reason.`),
    gridView('statuses', '', 'Number of responses by operation and status', headings, [
      h('tbody', rows),
      h('tfoot', h('tr', [h('th', { scope: 'row' }, 'All requests'), ...sums])),
    ]),
  ]);
}
