import type { ActiveCheck } from '../../harness/checks/check.ts';
import { control, namedSteps, probe, witness } from '../../harness/checks/step.ts';
import type { CallChanges } from '../../harness/requests/call-spec.ts';
import { compareDoubtful, untouchedSteps } from './comparison.ts';
import { effectsOf, evaluateRefusals, hadNoEffect, livesLong } from './refused-cancels.ts';
import { hasRole, sessionCheck } from './session-check.ts';
import type { SessionEvidence } from './session-evidence.ts';
import { changesOf } from './session-fields.ts';
import { cancel, isOk, read, type SessionAct } from './session-story.ts';

/** Whether a valid cancel seems to have changed nothing, as a part of the target may not know of it yet. */
function showsNoChange(session: SessionEvidence): boolean {
  const [after, last] = [session.fields('after'), session.fields('last')];
  return after !== undefined && last !== undefined && changesOf(after, last).length === 0;
}

/** Milliseconds in which a job or a queue that took the refused calls carries them out. */
const jobMs = 2_000;

const acts = namedSteps({
  before: read('A', witness('reads the session before all wrong cancels'), { needs: isOk }),
  wrongCancel: cancel('A', probe('wrong cancel', { times: 5 }), { needs: (answer) => !isOk(answer) }),
  after: read('A', witness('reads the session after all wrong cancels'), { needs: isOk }),
  validCancel: cancel('A', control('cancels the session with a valid call after all wrong ones'), {
    own: true,
    needs: isOk,
  }),
  last: read('A', witness('reads the session after the valid cancel'), { isEarly: showsNoChange }),
  cancelAgain: cancel('A', control('cancels the session with a valid call again', { followUp: true })),
});

const brokenBody = { bytes: Buffer.from('{"broken": '), contentType: 'application/json' };
const wrongBodies: readonly CallChanges[] = [
  { label: 'cancel with a body that is not JSON', body: brokenBody, row: { body: 'not JSON' } },
  { label: 'cancel without a body', body: 'none', row: { body: 'none' } },
];

const check: ActiveCheck = sessionCheck({
  requirement: 'SESSION-4',
  title: 'A refused cancel leaves the session as it was, and a valid cancel then succeeds',
  applies: hasRole('ends-session'),
  needs: () => ['scoped-key', 'unscoped-key', 'valid-call'],
  steps: { ...acts, ...untouchedSteps },
  probe: async (sessions, client) => {
    const { none, invalid, unscoped } = client.keys;
    const waits = client.plans({ weight: 'medium' });
    const wrongKeys = [none, ...invalid.slice(0, 1), ...(unscoped ? [unscoped] : [])].map((credential) => ({
      label: `cancel with ${credential.description}`,
      credential,
      row: { credential: credential.description },
    }));
    const wrong = [...wrongKeys, ...wrongBodies];
    await sessions.play(trial(wrong, waits));
    if (hadNoEffect(sessions.evidence)) return;
    const hadEffect = (): boolean => effectsOf(sessions.evidence).length > 0;
    await sessions.play([...trial([], waits), acts.cancelAgain]);
    // Sessions that end while nobody uses them are looked at right away.
    if (!livesLong(sessions.evidence)) await sessions.play([...trial([], waits), acts.cancelAgain]);
    for (const one of wrong) await sessions.play(trial([one], waits));
    // Some act on a repeated cancel alone.
    if (!hadEffect()) for (const some of [wrongKeys, wrongBodies]) await sessions.play(trial(some, waits));
    await compareDoubtful(sessions, effectsOf(sessions.evidence), 'another is created and cancelled');
  },
  evaluate: evaluateRefusals,
});

export default check;

/** Cancels one session with wrong calls and then with a valid one, and reads it in between. */
function trial(wrong: readonly CallChanges[], waits: boolean): readonly SessionAct[] {
  const { before, wrongCancel, validCancel, last } = acts;
  const pauseMs = (session: SessionEvidence): number => (livesLong(session) ? jobMs : 0);
  const after = waits ? { ...acts.after, pauseMs } : acts.after;
  return [before, ...wrong.map((changes) => ({ ...wrongCancel, changes })), after, validCancel, last];
}
