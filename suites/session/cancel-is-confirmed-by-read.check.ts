import { longestPropagation } from '../../harness/calls/propagation-delay.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { control, namedSteps, probe, witness } from '../../harness/checks/step.ts';
import { endOf } from '../../harness/evidence/answer.ts';
import {
  contradictedPointers,
  isNeverShown,
  isOpenAgain,
  reportedChanges,
  unconfirmedCancels,
  withoutComparison,
} from './cancel-reports.ts';
import { volatilityReads } from './comparison.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import { hasRole, notReached, sessionCheck } from './session-check.ts';
import type { SessionEvidence } from './session-evidence.ts';
import { contradictionsOf } from './session-model.ts';
import { cancel, isOk, read, repeated } from './session-story.ts';

/** Milliseconds after a cancel by which every replica and cache must have learned of it, and some for the way. */
const lateMs = longestPropagation + 200;

const isContradicted = (session: SessionEvidence): boolean => contradictedPointers(session).length > 0;

const steps = namedSteps({
  // A service that takes equal cancels for one would cancel the second session only by its words.
  cancelOther: cancel('O', witness('cancels another session just before', { weight: 'medium' })),
  readBefore: read('A', witness('reads the open session'), { needs: isOk }),
  readBeforeAgain: read('A', witness('reads the open session again')),
  cancel: cancel('A', control('cancels the session'), { needs: isOk }),
  readAfter: read('A', probe('reads the cancelled session'), {
    isEarly: (session) => session.answered('readAfter', 200) && isContradicted(session),
    needs: isOk,
  }),
  readAfterAgain: read('A', probe('reads the cancelled session again'), {
    // Again and again: some keep what they have read for as long as it is asked for.
    pauseMs: (session) => {
      const cancelled = session.last('cancel');
      const isLate = cancelled === undefined || Date.now() > endOf(cancelled) + lateMs;
      return isContradicted(session) && !isLate ? lateMs / volatilityReads : 0;
    },
  }),
  // Only where each read shows the session as before its cancel: a session that was never read tells a stale read from a lost cancel.
  cancelUnread: cancel('B', control('cancels a session that was not read', { followUp: true }), {
    when: isNeverShown,
  }),
  readUnread: read('B', witness('reads that session for the first time', { followUp: true }), {
    when: isNeverShown,
  }),
});

/** What comes later: a job, a second write, another cancel, or a call that was under way may undo a cancel. */
const laterSteps = namedSteps({
  cancelAgain: cancel('A', witness('cancels the session a second time', { weight: 'medium' }), {
    once: true,
  }),
  readBeside: read('B', witness('reads another session', { weight: 'medium' }), { once: true }),
  cancelBeside: cancel('B', witness('cancels it at the same time', { weight: 'medium' }), {
    once: true,
    beside: true,
  }),
  readLate: read('A', probe('reads the cancelled session seconds later', { weight: 'medium' }), {
    pauseMs: () => lateMs,
  }),
  readLateAgain: read('A', probe('reads it once more', { followUp: true }), {
    when: (session) => isOpenAgain(session, 'readLate'),
  }),
  readBesideLate: read('B', probe('reads the session that was read during its cancel', { weight: 'medium' })),
  readBesideLateAgain: read('B', probe('reads that one once more', { followUp: true }), {
    when: (session) => isOpenAgain(session, 'readBesideLate'),
  }),
});

const { cancelOther, cancelUnread, readUnread, ...told } = steps;
// Fields that change at random show no contradiction.
const further = repeated(volatilityReads - 1, { ...steps.readAfterAgain, when: isContradicted });

const check: ActiveCheck = sessionCheck({
  requirement: 'SESSION-3',
  title: 'Reads after a cancel show what the cancel reported',
  applies: hasRole('ends-session'),
  steps: { ...steps, ...laterSteps },
  probe: async (sessions, client) => {
    await sessions.play([cancelOther]);
    const ids = new Map<string, string | undefined>();
    const isPlayed = await sessions.play([...Object.values(told), ...further, cancelUnread, readUnread], ids);
    const { evidence } = sessions;
    if (!isPlayed || !client.plans(laterSteps.readLate) || isContradicted(evidence)) return;
    if (!evidence.answered('readAfter', 200)) return;
    const { cancelAgain, ...later } = laterSteps;
    await sessions.play([cancelAgain], ids);
    // Both calls on the other session go out at once, so it must be there before.
    const other = await sessions.createNext();
    // An equal create may have opened the cancelled session again.
    if (other !== undefined && other !== ids.get('A'))
      await sessions.play(Object.values(later), ids.set('B', other));
  },
  evaluate: (session) =>
    notReached(session, 'readBefore', 'cancel') ??
    violatedOr(
      shownInstead(session),
      () =>
        withoutComparison(session) ??
        violatedOr(unconfirmedCancels(session), () =>
          reportedChanges(session).length > 0
            ? pass('the read shows what the cancel reported')
            : inconclusive('the cancel reported no change of a field that reads show too'),
        ),
    ),
});

export default check;

/** Reads of a cancelled session that show another one. */
function shownInstead(session: SessionEvidence): readonly Violation[] {
  const cancel = session.last('cancel');
  const [found] = contradictionsOf(session).filter(
    ({ rule, exchange }) =>
      rule === 'identity' &&
      session.is('reads-session', exchange) &&
      cancel !== undefined &&
      session.exchanges.indexOf(exchange) > session.exchanges.indexOf(cancel),
  );
  if (found === undefined) return [];
  const { exchange } = found;
  return [
    {
      statement: 'A read of a cancelled session showed another one',
      clause: 'another-session',
      expected: 'the session with the requested id, or 404',
      actual: '200 with another session',
      exchange,
      steps: session.stepsTo(exchange),
    },
  ];
}
