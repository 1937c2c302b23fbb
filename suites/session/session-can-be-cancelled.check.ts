import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, pass } from '../../harness/checks/outcomes.ts';
import { control, namedSteps, probe } from '../../harness/checks/step.ts';
import { endOf, hasStatus, isOk, startOf, statusOf } from '../../harness/evidence/answer.ts';
import { createFresh, evaluateReturned, returnedSteps } from './returned-sessions.ts';
import { type SessionEvidence, sessionIdOf } from './session-evidence.ts';
import { apart, joined, obstacleOf, walkCheck } from './walk-check.ts';

const plain = 'create A, read A, cancel A, cancel A, read A';
// Two clients may cancel one session. A service may join their calls, but not report to each that its own was carried out.
const atOnce = 'create A, cancel A, cancel A with other text at the same time, cancel A at the same time';

// A conflict of versions or transactions shows in some of many pairs only. One that is refused among others can be tried again,
// unless it was carried out.
const pairs =
  'create A, create B, create C, create D, cancel A, cancel A at the same time, cancel B at the same time, cancel B at the same time, cancel C at the same time, cancel C at the same time, cancel D at the same time, cancel D';

/** What lets the caller in, or holds the session, may last for seconds only; a 404 is too early no more, whatever the key. */
const late =
  'create A, create B, create C, wait 2 s, wait 2 s, cancel A with a key without the scope, cancel B with a key without the scope, cancel C with a key without the scope, cancel A, read B, cancel B, cancel C';

const once = true as const;

const steps = namedSteps({
  createRested: { role: 'setup', label: 'creates a session that rests' },
  cancelRested: { ...probe('cancels a session with no other call under way'), once },
  fresh: control('call on a session that was not cancelled before'),
});

/** Milliseconds of a cancel after which another session would have to rest so long that it may end by itself. */
const mostElapsedMs = 500;

export const check: ActiveCheck = walkCheck({
  requirement: 'SESSION-2',
  title: 'A fresh session can be cancelled, and a second cancel or a read of it gets a defined status',
  roles: ['reads-session', 'ends-session'],
  walks: [
    joined(`${plain}\n${atOnce}`, 'ends-session'),
    // Whether two calls overlap is a matter of chance.
    apart(`${plain}\n${atOnce}\n${pairs}\n${late}`, 'ends-session'),
    apart('create A, read A, cancel A, read A', 'reads-session'),
  ],
  reports: ({ rule, state, end, isRepeated }, session) => {
    const { id, role } = session.operation;
    const isRead = session.is('reads-session', end);
    if (rule === 'cancels at once') return role === 'ends-session';
    // A session that cannot be read is a defect of the cancel only where it could be read before.
    const wasRead = session
      .callsOn(sessionIdOf(end))
      .some((one) => one !== end && session.is('reads-session', one) && hasStatus(one, 200));
    return rule === 'status' && !isRepeated && (isRead ? state === 'ended' && wasRead : end.operation === id);
  },
  isCertain: ({ end }) => end.step === 'cancelRested' || !hasStatus(end, 404, 409),
  company: 'another is created and cancelled',
  steps: { ...steps, ...returnedSteps },
  followUp: async (sessions) => {
    if (sessions.hasReturned) {
      const more = await createFresh(sessions);
      await more?.('read A, cancel A, cancel A, read A', steps.fresh);
    }
    const elapsedMs = conflictMs(sessions.evidence);
    if (elapsedMs === undefined) return;
    // If this cancel succeeds, the session only needed time to initialize; otherwise the service refuses every first cancel.
    const more = await sessions.walk('create A', steps.createRested);
    await sessions.client.pause(2 * elapsedMs);
    await more('cancel A', steps.cancelRested);
  },
  first: evaluateReturned,
  evaluate: (session) => {
    const cancel = session.by('ends-session').find(isOk);
    if (cancel === undefined) return obstacleOf(session);
    const later = session.callsOn(sessionIdOf(cancel));
    const next = later
      .slice(later.indexOf(cancel) + 1)
      .filter((one) => one.operation === session.operation.id);
    // What a limiter turned away is sent again.
    const again = next.find((one) => !hasStatus(one, 429)) ?? next[0];
    if (again === undefined) return inconclusive('the session was cancelled, and no call followed');
    if (!hasStatus(again, 200, 404, 409)) return obstacleOf(session);
    return session.is('reads-session', again)
      ? pass(`a cancelled session is read with ${statusOf(again)}`)
      : pass(`cancelled with 200, and answered ${statusOf(again)} to a second cancel`);
  },
});

/** Milliseconds for which the first cancel conflicted, where one soon did not; undefined where it did not at all, or for long. */
function conflictMs(session: SessionEvidence): number | undefined {
  const cancels = session.called('cancel', 'A');
  const [first] = cancels;
  const last = cancels.find((one) => hasStatus(one, 200));
  if (!hasStatus(first, 409) || first === undefined || last === undefined) return undefined;
  const elapsedMs = endOf(last) - startOf(first);
  return sessionIdOf(first) === sessionIdOf(last) && elapsedMs <= mostElapsedMs ? elapsedMs : undefined;
}
