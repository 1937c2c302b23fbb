import type { Report } from '../../harness/model/report.ts';

/** A heading and the operations below it. */
export interface OperationSection<T> {
  readonly title: string;
  readonly rows: readonly T[];
}

// The report carries no group, but the contract's four groups differ by path.
const sections: ReadonlyArray<readonly [title: string, pattern: RegExp]> = [
  ['Storefront public reads', /^\/api\/v1\/(?!open\/)/],
  ['Installation identity and readiness', /^\/api\/v1\/open\/installation\//],
  ['Hosted backend sessions', /^\/api\/v1\/open\/hosted\//],
  ['API Key catalog reads', /^\/api\/v1\/open\//],
];

/** Puts rows under the contract's four groups, in its order; a path in none of them gets a group of its own. */
export function sectionsOf<T extends { readonly operation: Report['operations'][number] }>(
  rows: readonly T[],
): OperationSection<T>[] {
  const titleOf = (row: T): string =>
    sections.find(([, pattern]) => pattern.test(row.operation.path))?.[0] ?? 'Other operations';
  return [...sections.map(([title]) => title), 'Other operations']
    .map((title) => ({ title, rows: rows.filter((row) => titleOf(row) === title) }))
    .filter((section) => section.rows.length > 0);
}
