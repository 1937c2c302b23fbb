import type { ActiveCheck } from '../../harness/checks/check.ts';
import { notTested, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { control, namedSteps, probe, witness } from '../../harness/checks/step.ts';
import { describeAnswer } from '../../harness/evidence/answer.ts';
import type { CallChanges } from '../../harness/requests/call-spec.ts';
import { cancelDiff } from './cancel-diff.ts';
import { effectsOf, evaluateWithoutEffect, hadNoEffect } from './refused-cancel-effects.ts';
import { notReached, sessionCheck } from './session-check.ts';
import { hasStatus } from './session-exchange.ts';
import { isCancelOperation, uniqueBodyRemedy } from './session-operations.ts';
import { cancel, isOk, read, type SessionAct } from './session-story.ts';
import { untouchedSessionOf, untouchedSteps, untouchedStory } from './untouched-session.ts';

// Where all wrong cancels go to one session, these follow only an unexpected response.
const from = 'standard';
const until = 'quick';

const steps = {
  ...namedSteps({
    groupBefore: read('A', witness('reads the session before all wrong cancels', { until }), { needs: isOk }),
    groupCancel: cancel('A', probe('wrong cancel', { until, times: 5 }), {
      needs: (exchange) => !isOk(exchange),
    }),
    groupAfter: read('A', witness('reads the session after all wrong cancels', { until }), { needs: isOk }),
    groupValid: cancel(
      'A',
      control('cancels the session with a valid call after all wrong ones', { until }),
      {
        needs: isOk,
      },
    ),
    groupLast: read('A', witness('reads the session after the valid cancel', { until })),
    referenceRead: read('A', control('reads a session before a valid cancel', { from }), { needs: isOk }),
    referenceCancel: cancel('A', control('cancels the session with a valid call', { from }), { needs: isOk }),
    referenceReadAfter: read('A', control('reads the session after the valid cancel', { from }), {
      isEarly: (session) => {
        const [before, after] = [session.fields('referenceRead'), session.fields('referenceReadAfter')];
        return before !== undefined && after !== undefined && cancelDiff(before, after).size === 0;
      },
    }),
    referenceCancelAgain: cancel('A', control('cancels the session with a valid call again', { from })),
    read: read('A', witness('reads the session', { from, times: 7 })),
    cancelWithWrongKey: cancel('A', probe('cancel with a wrong key', { from, times: 3 })),
    cancelWithWrongBody: cancel('A', probe('cancel with a wrong body', { from, times: 2 })),
    validCancel: cancel(
      'A',
      control('cancels the session with a valid call after refused ones', { from, times: 2 }),
      {
        own: true,
      },
    ),
  }),
  ...untouchedSteps,
};

const brokenBody = { bytes: Buffer.from('{"broken": '), contentType: 'application/json' };
const wrongBodies: readonly CallChanges[] = [
  { label: 'cancel with a body that is not JSON', body: brokenBody },
  { label: 'cancel without a body', body: 'none' },
];

const check: ActiveCheck = sessionCheck({
  requirement: 'SESSION-4',
  title: 'A refused cancel leaves the session as it was, and a valid cancel then succeeds',
  applies: isCancelOperation,
  needs: () => ['scoped-key', 'unscoped-key', 'valid-call'],
  steps,
  probe: async (sessions, { keys: { none, invalid, unscoped } }) => {
    const keys = [none, ...invalid.slice(0, 1), ...(unscoped ? [unscoped] : [])];
    const wrongKeys = keys.map((credential) => ({
      label: `cancel with ${credential.description}`,
      credential,
    }));
    const { groupBefore, groupCancel, groupAfter, groupValid, groupLast } = steps;
    const group = [...wrongKeys, ...wrongBodies].map((changes) => ({ ...groupCancel, changes }));
    await sessions.play([groupBefore, ...group, groupAfter, groupValid, groupLast]);
    if (hadNoEffect(sessions.evidence)) return;
    const { referenceRead, referenceCancel, referenceReadAfter, referenceCancelAgain } = steps;
    const reference = [referenceRead, referenceCancel, referenceReadAfter, referenceCancelAgain];
    if (!(await sessions.play(reference.map(inAnyProfile)))) return;
    await sessions.play(refusals(steps.cancelWithWrongKey, wrongKeys));
    await sessions.play(refusals(steps.cancelWithWrongBody, wrongBodies));
    if (effectsOf(sessions.evidence).effects.length > 0)
      await sessions.play(untouchedStory('created and cancelled'));
  },
  evaluate: (session, { operation }) => {
    const hasReference = session.last('referenceRead') !== undefined;
    if (!hasReference && hadNoEffect(session)) {
      const statuses = session.all('groupCancel').map(describeAnswer).join(', ');
      return pass(`no effect of cancels that were refused with ${statuses}`);
    }
    const unreached = notReached(session, 'referenceRead', 'referenceCancel');
    if (unreached !== undefined) return unreached;
    const untouched = untouchedSessionOf(session);
    const found = effectsOf(session, untouched?.volatilePointers);
    if (found.effects.length > 0 && untouched === undefined)
      return notTested('a session changed, and no other session could be created to compare it with');
    if (found.effects.length > 0 && untouched?.disturbed !== undefined) {
      const reason = `a session changed after a refused cancel, but ${untouched.disturbed}`;
      return notTested(`${reason}, so something else may have changed it`, uniqueBodyRemedy(operation));
    }
    return violatedOr(found.effects, () => evaluateWithoutEffect(session, found));
  },
});

export default check;

/** Cancels a session with wrong calls, reads it each time, and cancels it with a valid call. */
function refusals(step: SessionAct, wrong: readonly CallChanges[]): readonly SessionAct[] {
  const cancels = wrong.flatMap((changes) => [{ ...step, changes }, steps.read]);
  // An accepted cancel is a violation that the checks of keys report.
  const when: SessionAct['when'] = (session) =>
    session.all(step.step).every((one) => hasStatus(one, 400, 401, 403));
  return [steps.read, ...cancels, { ...steps.validCancel, when }].map(inAnyProfile);
}

/** A quick run, too, sends what the joined cancels call for. */
function inAnyProfile(act: SessionAct): SessionAct {
  return { ...act, from: 'quick' };
}
