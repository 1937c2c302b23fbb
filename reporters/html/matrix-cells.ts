import { groupBy } from '../../harness/group-by.ts';
import type { Outcome } from '../../harness/model/report.ts';
import type { PageModel } from './page-model.ts';

/** The state of one operation in one area of requirements. */
export interface MatrixCell {
  /** The gravest outcome; `not-run` where no case was planned. */
  readonly outcome: Outcome | 'not-run';
  /** Number of cases by outcome. */
  readonly counts: ReadonlyMap<Outcome, number>;
  /** Id of the element with details. */
  readonly anchor: string | null;
}

/** The matrix of operations by areas of requirements. */
export interface Matrix {
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
  const first = new Map<string, number>();
  for (const { check, requirement } of report.results) {
    const at = order.get(requirement) ?? order.size;
    const area = areaOf(check);
    first.set(area, Math.min(first.get(area) ?? at, at));
  }
  return [...first].sort(([a, m], [b, n]) => m - n || (a < b ? -1 : 1)).map(([area]) => area);
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
        gravity.flatMap((one) => {
          const count = byOutcome.get(one)?.length ?? 0;
          return count === 0 ? [] : [[one, count] as const];
        }),
      );
      const [outcome = 'not-run'] = counts.keys();
      return { outcome, counts, anchor: anchors.get(`${outcome} ${key}`) ?? null };
    },
  };
}
