import type { CaseResult, Outcome } from '../../harness/model/report.ts';
import { groupBy } from '../model/group-by.ts';
import { errorAnchor, openAnchor, type PageModel } from './page-model.ts';

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
function anchorsOf({ rootCauses, notes, open, errors }: PageModel): Map<string, string> {
  const anchors = new Map<string, string>();
  const add = (outcome: string, operation: string, check: string, anchor: string): void => {
    const key = `${outcome} ${keyOf(operation, check)}`;
    if (!anchors.has(key)) anchors.set(key, anchor);
  };
  for (const { group, entries } of rootCauses)
    for (const { violation, anchor } of entries)
      add(group.weight, violation.operation, violation.check, anchor);
  for (const { violation, anchor } of notes) add('pass', violation.operation, violation.check, anchor);
  for (const [index, { cases }] of open.entries())
    for (const { operation, check } of cases) add('inconclusive', operation, check, openAnchor(index));
  for (const [index, { operation, check }] of errors.entries())
    add('error', operation, check, errorAnchor(index));
  return anchors;
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
