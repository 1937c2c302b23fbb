import type { ActiveCheck } from '../../harness/checks/check.ts';
import { violatedOr } from '../../harness/checks/outcomes.ts';
import { control, namedSteps, probe, type UnnamedStep, witness } from '../../harness/checks/step.ts';
import { backwards, bodyOf } from '../../harness/checks/vary-body.ts';
import { compareDoubtful, untouchedSteps } from './comparison.ts';
import { wrongAtOnce } from './creates-at-once.ts';
import { hasRole, notReached, sessionCheck } from './session-check.ts';
import { hasStatus, type SessionEvidence, sessionIdOf } from './session-evidence.ts';
import { cancel, create, isOk, read, type SessionAct } from './session-story.ts';
import { effectsOnSecond, evaluateEffect, evaluateReplacement, evaluateSecond } from './two-sessions.ts';

const setup = (label: string): UnnamedStep => ({ role: 'setup', label });

const pair = namedSteps({
  createFirst: create('A', setup('creates the first session with another body'), {
    varied: { by: [1] },
    orPlain: true,
  }),
  readFirstAlone: read('A', witness('reads the first session while it is the only one'), { needs: isOk }),
  // A much larger body, or a little larger where that is refused.
  createSecond: create('B', setup('creates the second session with yet another body'), {
    varied: { by: [250, 2] },
    orPlain: true,
  }),
  readSecond: read('B', witness('reads the second session'), {
    mayBeShared: true,
    needs: (second, session) =>
      second !== undefined && sessionIdOf(second) !== sessionIdOf(session.last('readFirstAlone')),
  }),
  readFirst: read('A', witness('reads the first session after the second was created')),
  cancelFirst: cancel('A', control('cancels the first session'), { needs: isOk }),
  readFirstCancelled: read('A', witness('reads the first session after its cancel')),
  readSecondAgain: read('B', probe('reads the second session after the first was cancelled')),
  cancelSecond: cancel('B', probe('cancels the second session')),
});

const steps = {
  ...pair,
  ...namedSteps({
    cancelModel: cancel('A', witness('cancels the session that shows the body')),
    // Where the bodies so far have nothing to vary but their texts.
    createVaried: create('A', witness('creates a session with another text', { weight: 'medium' }), {
      when: (session) => !session.answered('createFirst', 200),
      varied: { texts: backwards },
    }),
    // On connections that are open, as calls on fresh ones arrive further apart.
    createAtOnce: create(
      'A',
      probe('creates a session while others are created', { times: 4, strength: 'part' }),
      { beside: true },
    ),
  }),
  ...untouchedSteps,
};

// The contract declares idempotency neither way, so equal creates may return one session, or the second session may
// replace the first. Only creates with different bodies must make two sessions.
const check: ActiveCheck = sessionCheck({
  requirement: 'SESSION-5',
  title: 'Two creates make two sessions, and cancelling one leaves the other',
  applies: hasRole('creates-session'),
  steps,
  probe: async (sessions, client) => {
    await sessions.play([steps.cancelModel]);
    if (!(await sessions.play(Object.values(pair)))) return;
    const effects = effectsOnSecond(sessions.evidence);
    await compareDoubtful(sessions, effects, 'another is created');
    if (effects.length > 0) return;
    await sessions.play([{ ...steps.createVaried, weight: 'high' }]);
    await sessions.play(atOnce(sessions.evidence, client.times(steps.createAtOnce)));
  },
  evaluate: (session) =>
    notReached(session, 'readFirstAlone') ??
    evaluateSecond(session) ??
    evaluateReplacement(session) ??
    notReached(session, 'readFirstAlone', 'cancelFirst', 'readSecond') ??
    violatedOr(wrongAtOnce(session), () => evaluateEffect(session)),
});

export default check;

/** Creates with two bodies, each of which has made a session of its own before. */
function atOnce(session: SessionEvidence, times: number): readonly SessionAct[] {
  const model = session.exchanges.find((one) => session.is('creates-session', one));
  const other = session.last('createVaried') ?? session.last('createFirst');
  const bodies = [model, hasStatus(other, 200) ? other : undefined].map((one) => one && bodyOf(one));
  return Array.from({ length: bodies.includes(undefined) ? 0 : times }, (_, at) => {
    const body = bodies[at % 2];
    return { ...steps.createAtOnce, changes: body === undefined ? {} : { body } };
  });
}
