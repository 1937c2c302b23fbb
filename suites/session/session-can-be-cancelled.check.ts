import type { ActiveCheck } from '../../harness/checks/check.ts';
import { control, namedSteps, probe, witness } from '../../harness/checks/step.ts';
import { backwards } from '../../harness/checks/vary-body.ts';
import { compareDoubtful, untouchedSteps } from './comparison.ts';
import { elapsedMs, evaluateCancels, evaluateRead, wasRefusedFirst, wrongCancels } from './fresh-cancels.ts';
import { createFresh, evaluateReturned, returnedSteps } from './returned-sessions.ts';
import { hasRole, sessionCheck } from './session-check.ts';
import { cancel, read, type SessionAct } from './session-story.ts';

const at = hasRole('ends-session');
const isCancelled: SessionAct['when'] = (session) => session.answered('cancelFresh', 200);

const steps = {
  ...namedSteps({
    readFresh: read('A', witness('reads the fresh session')),
    cancelFresh: cancel('A', control('cancels the fresh session'), { own: true }),
    cancelAgain: cancel('A', probe('cancels the session again', { at }), { when: isCancelled }),
    readCancelled: read('A', probe('reads the cancelled session'), { when: isCancelled }),
    readRefused: read('A', witness('reads the session that could not be cancelled', { followUp: true, at }), {
      when: (session) => session.answered('readFresh', 200) && session.answered('cancelFresh', 404, 409),
    }),
    cancelAtOnce: cancel(
      'A',
      // Whether two calls meet is a matter of chance.
      probe('cancels a session twice at once, for two reasons', {
        at,
        times: 4,
        strength: 'part',
      }),
      { once: true, when: isCancelled, changes: { connection: 'fresh', propagationDelayMs: 0 } },
    ),
    cancelRested: cancel(
      'A',
      probe('cancels a session of which nothing is under way any more', { followUp: true }),
      {
        once: true,
        when: wasRefusedFirst,
        // A session that is initialized by then was refused for the time, another for being cancelled once only.
        pauseMs: (session) => 2 * elapsedMs(session),
        changes: { propagationDelayMs: 0 },
      },
    ),
  }),
  ...returnedSteps,
  ...untouchedSteps,
};

const { readFresh, cancelFresh, cancelAgain, readCancelled, readRefused, cancelAtOnce, cancelRested } = steps;
/** Two clients may cancel one session. A service may join their calls, but not report to each that its own was carried out. */
const atOnce: readonly SessionAct[] = [
  cancelAtOnce,
  { ...cancelAtOnce, beside: true, varied: { texts: backwards }, orPlain: true },
];

const check: ActiveCheck = sessionCheck({
  requirement: 'SESSION-2',
  title: 'A fresh session can be cancelled, and a second cancel or a read of it gets a defined status',
  applies: hasRole('reads-session', 'ends-session'),
  weight: (operation) => (at(operation) ? 'high' : 'medium'),
  steps,
  probe: async (sessions, client) => {
    const ids = new Map([['A', await createFresh(sessions, client)]]);
    await sessions.play([readFresh, cancelFresh, cancelAgain, readCancelled, readRefused], ids);
    const { evidence } = sessions;
    if (evidence.answered('readRefused', 200))
      await compareDoubtful(sessions, wrongCancels(evidence), 'another is created and cancelled');
    if (!evidence.answered('cancelFresh', 200)) return;
    for (let calls = 0; calls < client.times(cancelAtOnce); calls += 2)
      await sessions.play(atOnce, new Map([['A', await sessions.create()]]));
    await sessions.play([cancelRested]);
  },
  evaluate: (session, { operation }) =>
    evaluateReturned(session) ?? (at(operation) ? evaluateCancels(session) : evaluateRead(session)),
});

export default check;
