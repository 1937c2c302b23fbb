import type { CollectiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, pass, violated } from '../../harness/checks/outcomes.ts';
import { endOf, hasStatus, startOf } from '../../harness/evidence/answer.ts';
import { groupBy } from '../../harness/group-by.ts';
import type { Exchange } from '../../harness/model/exchange.ts';

/** A session that was not found at first, and found later. */
interface Late {
  readonly refused: Exchange;
  readonly found: Exchange;
}

// The other checks repeat what may have come too early, as replicas may need up to two seconds; this one says so.
export const check: CollectiveCheck = {
  kind: 'collective',
  requirement: 'SESSION-1',
  title: 'a created session is found by the first call that names it',
  applies: ({ role }) => role === 'reads-session',
  dedupeKey: ({ operation, request, response }) => {
    const id = sessionOf(request);
    return request.credential.kind === 'scoped' && id !== undefined && response !== undefined
      ? `${operation} ${id} ${response.status}`
      : undefined;
  },
  evaluate: ({ operation, exchanges }) => {
    const calls = exchanges.filter(({ request }) => sessionOf(request) !== undefined);
    const bySession = [...groupBy(calls, ({ request }) => sessionOf(request)).values()];
    const known = bySession.filter((own) => own.some((one) => hasStatus(one, 200)));
    const late = known.flatMap(lateIn);
    const [first] = late;
    if (!known.flat().some((one) => one.operation === operation.id && hasStatus(one, 200)))
      return inconclusive('no session was read');
    if (first === undefined) return pass(`${known.length} sessions were found, each by the first call`);
    const longestMs = Math.max(...late.map(({ refused, found }) => endOf(found) - endOf(refused)));
    const were = late.length === 1 ? 'was' : 'were';
    return violated({
      statement: `${late.length} of ${known.length} sessions ${were} answered 404 at first, and found up to ${(longestMs / 1000).toFixed(1)} s later, when the run repeated the call`,
      clause: 'late',
      expected: '200 to the first call that names a created session',
      actual: '404, and 200 to a later call',
      exchange: first.refused,
      relatedExchanges: [first.found],
    });
  },
};

function sessionOf({ values }: Exchange['request']): string | undefined {
  return values['sessionId']?.value;
}

function lateIn(calls: readonly Exchange[]): readonly Late[] {
  const [refused, ...later] = calls.toSorted((a, b) => startOf(a) - startOf(b));
  const found = later.find((one) => hasStatus(one, 200));
  return hasStatus(refused, 404) && refused !== undefined && found !== undefined ? [{ refused, found }] : [];
}
