import { groupBy } from '../../harness/group-by.ts';
import type { CaseResult, Report, Summary } from '../../harness/model/report.ts';
import { summarise } from '../../harness/results/verdict.ts';
import type { Standing } from './marks.ts';

/** One operation with its cases counted. */
export interface OperationStanding {
  readonly operation: Report['operations'][number];
  readonly standing: Standing;
  readonly counts: Summary;
}

function standingOf(results: readonly CaseResult[], counts: Summary, narrowed: boolean): Standing {
  if (counts.fail > 0) return 'fails';
  if (counts.error > 0) return 'harness-error';
  if (results.length === 0) return 'not-run';
  if (counts.pass + counts.warn === 0) return 'not-tested';
  if (results.some(({ outcome, level }) => outcome === 'inconclusive' && level === 'must'))
    return 'partly-tested';
  return narrowed ? 'partly-run' : 'conforms';
}

/** Summarizes each operation from its cases, in the report's order. */
export function standingsOf(report: Report): OperationStanding[] {
  const { options, interrupted } = report.run;
  const isSet = (option: unknown): boolean => option !== '' && [option ?? []].flat().length > 0;
  const narrowed = interrupted || isSet(options['check']) || isSet(options['shard']);
  return report.operations.map((operation) => {
    const results = report.results.filter((result) => result.operation === operation.id);
    const counts = summarise(results);
    return { operation, standing: standingOf(results, counts, narrowed), counts };
  });
}

// The report carries no group, but the contract's four groups differ by path.
const sections: ReadonlyArray<readonly [title: string, pattern: RegExp]> = [
  ['Storefront public reads', /^\/api\/v1\/(?!open\/)/],
  ['Installation identity and readiness', /^\/api\/v1\/open\/installation\//],
  ['Hosted backend sessions', /^\/api\/v1\/open\/hosted\//],
  ['API Key catalog reads', /^\/api\/v1\/open\//],
];

/** Puts rows under the contract's four groups, in its order; paths in none of them form a separate group. */
export function sectionsOf(
  rows: readonly OperationStanding[],
): { readonly title: string; readonly rows: readonly OperationStanding[] }[] {
  const other = 'Other operations';
  const byTitle = groupBy(
    rows,
    ({ operation }) => sections.find(([, pattern]) => pattern.test(operation.path))?.[0] ?? other,
  );
  return [...sections.map(([title]) => title), other].flatMap((title) => {
    const own = byTitle.get(title);
    return own === undefined ? [] : [{ title, rows: own }];
  });
}
