import { activeCheck } from '../../harness/checks/active-check.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { control, namedSteps, probe, witness } from '../../harness/checks/step.ts';
import { describeAnswer, endOf } from '../../harness/evidence/answer.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { longestPropagation } from '../../harness/requests/propagation-delay.ts';
import { contradictions, reportsChange, showsNoChange } from './confirmed-cancel.ts';
import { withSessions } from './session-client.ts';
import { SessionEvidence } from './session-evidence.ts';
import { fieldsOf, hasStatus, sessionIdOf } from './session-exchange.ts';
import { isCancelOperation } from './session-operations.ts';
import { stateChanged } from './state-values.ts';
import { volatilityReads } from './untouched-session.ts';

/** The maximum number of fields that a finding names. */
const namedFields = 3;
/** Milliseconds after a cancel by which every replica and cache must have learned of it, and some for the way. */
const lateMs = longestPropagation + 200;

const steps = namedSteps({
  // A service that takes equal cancels for one would cancel the second session only by its words.
  cancelOther: witness('cancels another session just before', { from: 'standard' }),
  readBefore: witness('reads the open session'),
  readBeforeAgain: witness('reads the open session again'),
  cancel: control('cancels the session'),
  readAfter: probe('reads the cancelled session'),
  readAfterAgain: probe('reads the cancelled session again'),
  // Only where each read shows the session as before its cancel: a session that was never read tells a stale read from a lost cancel.
  cancelUnread: control('cancels a session that was not read', { followUp: true }),
  readUnread: witness('reads that session for the first time', { followUp: true }),
});

const check: ActiveCheck = activeCheck({
  requirement: 'SESSION-3',
  title: 'Reads after a cancel show what the cancel reported',
  applies: isCancelOperation,
  needs: () => ['scoped-key', 'valid-call'],
  steps,
  probe: (client) =>
    withSessions(client, async (sessions) => {
      const other = client.plans(steps.cancelOther) ? await sessions.tryToCreate() : undefined;
      if (other !== undefined) await sessions.cancel(other, steps.cancelOther);
      const id = await sessions.create();
      const before = await sessions.read(id, steps.readBefore);
      if (!hasStatus(before, 200)) return;
      await sessions.read(id, steps.readBeforeAgain);
      const cancel = await sessions.cancel(id, steps.cancel);
      if (!hasStatus(cancel, 200)) return;
      const isContradicted = (): boolean => contradictions(sessions.evidence).length > 0;
      const after = await sessions.read(
        id,
        steps.readAfter,
        (read) => hasStatus(read, 200) && isContradicted(),
      );
      if (!hasStatus(after, 200)) return;
      if (isContradicted()) await client.pause(Math.max(0, lateMs - msSince(cancel)));
      // Fields that change at random show no contradiction.
      const reads = isContradicted() ? volatilityReads : 1;
      for (let read = 1; read <= reads; read += 1) await sessions.readOnce(id, steps.readAfterAgain);
      if (!isNeverShown(sessions.evidence)) return;
      const unread = await sessions.create();
      if (unread === id) return;
      await sessions.cancel(unread, steps.cancelUnread);
      await sessions.readOnce(unread, steps.readUnread);
    }),
  evaluate: (evidence) => {
    const session = new SessionEvidence<keyof typeof steps>(evidence);
    const cancel = session.last('cancel');
    const after = session.last('readAfter');
    if (cancel === undefined)
      return session.last('readBefore') === undefined
        ? inconclusive('no session was created')
        : inconclusive('the session cannot be read, which SESSION-1 evaluates');
    if (!hasStatus(cancel, 200))
      return inconclusive(`the cancel was answered ${describeAnswer(cancel)}, which SESSION-2 evaluates`);
    if (after === undefined) return inconclusive('the session was not read after its cancel');
    if (hasStatus(after, 404)) return pass('the cancelled session is gone, answered 404');
    if (!hasStatus(after, 200)) {
      const answer = describeAnswer(after);
      return inconclusive(
        `a read of the cancelled session was answered ${answer}, which SESSION-2 evaluates`,
      );
    }
    const reads = (['readBefore', 'readBeforeAgain', 'readAfter', 'readAfterAgain'] as const).map((step) =>
      session.last(step),
    );
    if (reads.some((read) => session.otherIdShownBy(read) !== undefined))
      return inconclusive('the reads do not show the session id, so they may be about another session');
    if ([cancel, after].some((exchange) => fieldsOf(exchange) === undefined))
      return inconclusive('not every response about the session is JSON');
    const pointers = contradictions(session);
    return violatedOr(pointers.length > 0 ? [contradicted(session, cancel, pointers)] : [], () =>
      reportsChange(session)
        ? pass('the read shows what the cancel reported')
        : inconclusive('the cancel reported no change of a field that reads show too'),
    );
  },
});

export default check;

function contradicted(
  session: SessionEvidence<keyof typeof steps>,
  cancel: Exchange,
  pointers: readonly string[],
): Violation {
  const fields = pointers
    .map((pointer) => pointer.replaceAll(sessionIdOf(cancel) ?? '', '{sessionId}'))
    .sort()
    .slice(0, namedFields)
    .join(', ');
  const violation = {
    statement: 'A read contradicts what the cancel reported',
    expected: `the same at ${fields} in the response to the cancel and in a later read`,
    actual: `200, and a later read that differs at ${fields}`,
    exchange: cancel,
  };
  const last = session.last('readAfterAgain');
  if (last === undefined || !isNeverShown(session)) return violation;
  return {
    ...violation,
    actual: `200, and reads for two seconds and more that show ${fields} as before the cancel`,
    steps: session.stepsTo(last),
    ...(isShownUnread(session)
      ? {
          clause: 'read-before-cancel',
          fix: 'Drop or replace the cached session when it is cancelled, or read it from the store each time: a session that nobody had read before its cancel is shown as cancelled.',
        }
      : { clause: 'never-shown' }),
  };
}

/** Whether all reads, up to the time by which every cache must know, show each field that the cancel changed as it was. */
function isNeverShown(session: SessionEvidence<keyof typeof steps>): boolean {
  const cancel = session.last('cancel');
  const late = session
    .all('readAfterAgain')
    .filter(
      (read) => cancel !== undefined && Date.parse(read.startedAt) - endOf(cancel) >= longestPropagation,
    );
  return late.length > 0 && late.every((read) => hasStatus(read, 200)) && showsNoChange(session);
}

/** Whether a session that was not read before its cancel is shown as the cancel reported it. */
function isShownUnread(session: SessionEvidence<keyof typeof steps>): boolean {
  const cancelled = fieldsOf(session.last('cancelUnread'));
  const read = fieldsOf(session.last('readUnread'));
  return cancelled !== undefined && read !== undefined && !stateChanged(cancelled, read);
}

function msSince(exchange: Exchange): number {
  return Date.now() - endOf(exchange);
}
