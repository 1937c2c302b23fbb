import { longestPropagation } from '../../harness/calls/propagation-delay.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { control, namedSteps, probe, witness } from '../../harness/checks/step.ts';
import { endOf } from '../../harness/evidence/answer.ts';
import { contradictedPointers, evaluateCancel, isNeverShown, isOpenAgain } from './cancel-reports.ts';
import { volatilityReads } from './comparison.ts';
import { hasRole, sessionCheck } from './session-check.ts';
import type { SessionEvidence } from './session-evidence.ts';
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
    pauseMs: (session) => (session.last('readLate') === undefined ? lateMs : 0),
  }),
  readBesideLate: read('B', probe('reads the session that was read during its cancel', { weight: 'medium' })),
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
    const { cancelAgain, readLate, readBesideLate, ...besides } = laterSteps;
    // One read alone may be of a replica that lags.
    const late = [readLate, readBesideLate].flatMap((one) => [
      one,
      { ...one, when: (session: SessionEvidence) => isOpenAgain(session, one.step) },
    ]);
    await sessions.play([cancelAgain], ids);
    // Both calls on the other session go out at once, so it must be there before.
    const other = await sessions.create();
    // An equal create may have opened the cancelled session again.
    if (other !== undefined && other !== ids.get('A'))
      await sessions.play([...Object.values(besides), ...late], ids.set('B', other));
  },
  evaluate: evaluateCancel,
});

export default check;
