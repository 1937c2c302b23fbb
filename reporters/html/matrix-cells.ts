import { groupBy } from '../../harness/group-by.ts';
import type { CaseResult, Outcome } from '../../harness/model/report.ts';
import { type PageModel, violationsIn } from './page-model.ts';

/** Where one operation stands in one area of requirements. */
export interface MatrixCell {
  /** The gravest outcome; `not-run` where no case was planned. */
  readonly outcome: Outcome | 'not-run';
  /** Number of cases by outcome. */
  readonly counts: ReadonlyMap<Outcome, number>;
  /** Id of the element that tells more. */
  readonly anchor: string | null;
}

/** The matrix of operations by areas of requirements. */
export interface Matrix {
  readonly areas: readonly string[];
  readonly cellOf: (operation: string, area: string) => MatrixCell;
}

const gravity: readonly Outcome[] = ['fail', 'error', 'inconclusive', 'warn', 'pass', 'not-applicable'];

/** The area of a check: what stands before the slash of its id. */
export function areaOf(check: string): string {
  const slash = check.indexOf('/');
  return slash === -1 ? check : check.slice(0, slash);
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

/** Finds for each outcome where the page tells of it, by operation and area. */
function anchorsOf({ findings, notes, open, errors, anchors }: PageModel): Map<string, string> {
  const places = new Map<string, string>();
  const add = (
    outcome: string,
    { operation, check }: Pick<CaseResult, 'operation' | 'check'>,
    anchor: string | undefined,
  ): void => {
    const key = `${outcome} ${keyOf(operation, check)}`;
    if (anchor !== undefined && !places.has(key)) places.set(key, anchor);
  };
  for (const { weight, group } of findings)
    for (const violation of group.members) add(weight, violation, anchors.get(violation));
  for (const violation of notes.flatMap(violationsIn)) add('pass', violation, anchors.get(violation));
  for (const block of open) for (const one of block.open.cases) add('inconclusive', one, anchors.get(block));
  for (const block of errors) add('error', block.about as CaseResult, anchors.get(block));
  return places;
}

function countOutcomes(results: readonly CaseResult[]): Map<Outcome, number> {
  const counts = new Map<Outcome, number>();
  for (const outcome of gravity) {
    const count = results.filter((result) => result.outcome === outcome).length;
    if (count > 0) counts.set(outcome, count);
  }
  return counts;
}

/** Lays the results out by operation and area; a cell is as bad as its worst case. */
export function matrixOf(model: PageModel): Matrix {
  const byCell = groupBy(model.report.results, ({ operation, check }) => keyOf(operation, check));
  const anchors = anchorsOf(model);
  return {
    areas: areasOf(model),
    cellOf: (operation, area) => {
      const key = JSON.stringify([operation, area]);
      const counts = countOutcomes(byCell.get(key) ?? []);
      const outcome = gravity.find((candidate) => counts.has(candidate)) ?? 'not-run';
      return { outcome, counts, anchor: anchors.get(`${outcome} ${key}`) ?? null };
    },
  };
}
