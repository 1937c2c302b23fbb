import type { CollectiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, pass, violated } from '../../harness/checks/outcomes.ts';
import { endOf, hasStatus, startOf } from '../../harness/evidence/answer.ts';
import { groupBy } from '../../harness/group-by.ts';
import type { Exchange } from '../../harness/model/exchange.ts';

/** Sessions that are found late before it is told: one may be a matter of chance. */
const fewestLate = 2;

/** A session that was not found at first, and found later under the same path. */
interface Late {
  readonly refused: Exchange;
  readonly found: Exchange;
}

// The other checks repeat what may have come too early, as replicas may need up to two seconds; this one says so.
export const check: CollectiveCheck = {
  kind: 'collective',
  requirement: 'SESSION-1',
  title: 'a created session is found by its first read',
  applies: ({ role }) => role === 'reads-session',
  dedupeKey: ({ operation, request, response }) =>
    request.credential.kind === 'scoped' && request.method === 'GET' && response !== undefined
      ? `${operation} ${request.path} ${response.status}`
      : undefined,
  evaluate: ({ operation, exchanges }) => {
    const reads = exchanges.filter((one) => one.operation === operation.id);
    const byPath = [...groupBy(reads, ({ request }) => request.path).values()];
    const known = byPath.filter((own) => own.some((one) => hasStatus(one, 200)));
    const late = known.flatMap(lateIn);
    const [first] = late;
    if (known.length === 0) return inconclusive('no session was read');
    if (first === undefined || late.length < fewestLate)
      return pass(
        `${known.length} sessions were found, ${late.length === 0 ? 'each' : 'all but one'} by the first read`,
      );
    const longestMs = Math.max(...late.map(({ refused, found }) => endOf(found) - endOf(refused)));
    return violated({
      statement: `${late.length} of ${known.length} sessions were answered 404 at first, and found up to ${(longestMs / 1000).toFixed(1)} s later`,
      clause: 'late',
      expected: '200 to the first read of a created session',
      actual: '404, and 200 to a later read',
      exchange: first.refused,
      relatedExchanges: [first.found],
    });
  },
};

function lateIn(reads: readonly Exchange[]): readonly Late[] {
  const [refused, ...later] = reads.toSorted((a, b) => startOf(a) - startOf(b));
  const found = later.find((one) => hasStatus(one, 200));
  return hasStatus(refused, 404) && refused !== undefined && found !== undefined ? [{ refused, found }] : [];
}
