import { longestPropagation } from '../../harness/calls/propagation-delay.ts';
import type { CollectiveCheck } from '../../harness/checks/check.ts';
import { notApplicable, pass, violated } from '../../harness/checks/outcomes.ts';
import { endOf, isOk, mayBeAnotherRoute, parseBody, startOf } from '../../harness/evidence/answer.ts';
import { groupBy } from '../../harness/group-by.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { likelySessionId } from '../../harness/requests/session-id.ts';
import { fieldsOf } from './session-evidence.ts';
import { type Change, changedAsBy, changesOf, isOfState } from './session-fields.ts';

/** Sessions that must show a change before it is known as that of a cancel. */
const fewestShown = 3;
/** Sessions that do not show it before it is told: one may be a matter of chance. */
const fewestLost = 2;

/** A session that was read, cancelled, and read when every replica and cache must know. */
interface Cancelled {
  readonly before: Exchange;
  readonly cancel: Exchange;
  readonly after: Exchange;
}

// session/cancel-is-confirmed-by-read looks into the sessions of its own.
export const check: CollectiveCheck = {
  kind: 'collective',
  requirement: 'SESSION-3',
  title: 'late reads show a cancel that succeeded, regardless of the case that sent it',
  applies: ({ role }) => role === 'ends-session',
  dedupeKey: (exchange) => {
    const isTold = isOk(exchange) && exchange.request.credential.kind === 'scoped';
    const id = isTold && !mayBeAnotherRoute(exchange) ? idOf(exchange) : undefined;
    return id && `${exchange.operation} ${id}`;
  },
  evaluate: ({ operation, exchanges }) => {
    const sessions = [...groupBy(exchanges, idOf).values()].flatMap((own) => cancelledIn(own, operation.id));
    const effects = effectsOf(sessions);
    if (effects.length === 0) return notApplicable('too few sessions were read before and after a cancel');
    const lost = sessions.filter(({ before, after }) => {
      const [was, is] = [before, after].map(fieldsOf);
      return effects.every(
        (one) => was?.get(one.pointer) === one.before && is?.get(one.pointer) === one.before,
      );
    });
    const [first] = lost;
    if (first === undefined || lost.length < fewestLost)
      return pass(`late reads of ${sessions.length - lost.length} sessions showed their cancel`);
    return violated({
      statement: `${lost.length} of ${sessions.length} cancelled sessions are shown as before their cancel by reads more than ${longestPropagation / 1000} s later`,
      clause: 'read-before-cancel',
      expected: '200 with the cancelled session, as in reads of others, or 404',
      actual: '200 with the session as it was before its cancel',
      exchange: first.after,
      relatedExchanges: [first.before, first.cancel],
    });
  },
};

/** The session that a call names, or that a create made. */
function idOf({ request, response }: Exchange): string | undefined {
  const named = request.values['sessionId']?.value;
  return named ?? (request.method === 'POST' ? likelySessionId(parseBody(response?.body)) : undefined);
}

/** The life of a session around its cancel; none where a later create may have opened it again. */
function cancelledIn(own: readonly Exchange[], cancelId: string): readonly Cancelled[] {
  const ordered = own.toSorted((a, b) => startOf(a) - startOf(b));
  const cancel = ordered.find((one) => one.operation === cancelId);
  if (cancel === undefined) return [];
  const reads = ordered.filter(({ request }) => request.method === 'GET');
  const before = reads.findLast((one) => endOf(one) < startOf(cancel));
  const after = reads.findLast((one) => startOf(one) - endOf(cancel) >= longestPropagation);
  const isReopened = ordered.some(
    (one) => one.request.values['sessionId'] === undefined && endOf(one) > startOf(cancel),
  );
  return before === undefined || after === undefined || isReopened ? [] : [{ before, cancel, after }];
}

/** The changes of states that several sessions show after their cancel. */
function effectsOf(sessions: readonly Cancelled[]): readonly Change[] {
  const changes = sessions.flatMap(({ before, after }) =>
    changesOf(fieldsOf(before), fieldsOf(after)).filter(isOfState),
  );
  const alike = (one: Change): number =>
    changes.filter((other) => changedAsBy([one], [other]).length > 0).length;
  const told = changes.filter((one) => alike(one) >= fewestShown);
  return [...new Map(told.map((one) => [one.pointer, one])).values()];
}
