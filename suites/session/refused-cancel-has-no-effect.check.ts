import { activeCheck } from '../../harness/checks/active-check.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, notTested, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { control, namedSteps, probe, witness } from '../../harness/checks/step.ts';
import { describeAnswer } from '../../harness/evidence/answer.ts';
import type { CallChanges } from '../../harness/requests/call-spec.ts';
import type { Credential } from '../../harness/requests/key-ring.ts';
import { cancelDiff } from './cancel-diff.ts';
import { effectsOf, evaluateWithoutEffect } from './refused-cancel-effects.ts';
import { groupSteps, hadNoEffect, haveNoEffect } from './refused-cancel-group.ts';
import { type SessionClient, withSessions } from './session-client.ts';
import { SessionEvidence } from './session-evidence.ts';
import { fieldsOf, hasStatus } from './session-exchange.ts';
import { isCancelOperation, uniqueBodyRemedy } from './session-operations.ts';
import { untouchedSessionOf, untouchedSteps, watchUntouchedSession } from './untouched-session.ts';

// Where all wrong cancels go to one session, these follow only an unexpected response.
const from = 'standard';

const steps = {
  ...namedSteps({
    referenceRead: control('reads a session before a valid cancel', { from }),
    referenceCancel: control('cancels the session with a valid call', { from }),
    referenceReadAfter: control('reads the session after the valid cancel', { from }),
    referenceCancelAgain: control('cancels the session with a valid call again', { from }),
    read: witness('reads the session', { from, times: 7 }),
    cancelWithWrongKey: probe('cancel with a wrong key', { from, times: 3 }),
    cancelWithWrongBody: probe('cancel with a wrong body', { from, times: 2 }),
    validCancel: control('cancels the session with a valid call after refused ones', { from, times: 2 }),
  }),
  ...untouchedSteps,
  ...groupSteps,
};

type Cancels = SessionEvidence<keyof typeof steps>;

const brokenBody = { bytes: Buffer.from('{"broken": '), contentType: 'application/json' };
const wrongBodies = [
  { label: 'cancel with a body that is not JSON', body: brokenBody },
  { label: 'cancel without a body', body: 'none' },
] as const;

const check: ActiveCheck = activeCheck({
  requirement: 'SESSION-4',
  title: 'A refused cancel leaves the session as it was, and a valid cancel then succeeds',
  applies: isCancelOperation,
  needs: () => ['scoped-key', 'unscoped-key', 'valid-call'],
  steps,
  probe: (client) =>
    withSessions(client, async (sessions) => {
      const { none, invalid, unscoped } = client.keys;
      const keys = [none, ...invalid.slice(0, 1), ...(unscoped ? [unscoped] : [])];
      const isJoined = client.plans(steps.groupCancel) && client.earlier.length === 0;
      if (isJoined && (await haveNoEffect(sessions, [...keys.map(withKey), ...wrongBodies]))) return;
      if (!(await showValidCancel(sessions))) return;
      await sendWrongKeys(sessions, keys);
      await sendWrongBodies(sessions);
      const { effects } = effectsOf(sessions.evidence);
      if (effects.length > 0) await watchUntouchedSession(sessions, 'created and cancelled');
    }),
  evaluate: (evidence) => {
    const session: Cancels = new SessionEvidence(evidence);
    const cancel = session.last('referenceCancel');
    if (session.last('referenceRead') === undefined && hadNoEffect(session)) {
      const statuses = session.all('groupCancel').map(describeAnswer).join(', ');
      return pass(`no effect of cancels that were refused with ${statuses}`);
    }
    if (cancel === undefined)
      return session.last('referenceRead') === undefined
        ? inconclusive('no session was created')
        : inconclusive('the session cannot be read, which SESSION-1 evaluates');
    if (!hasStatus(cancel, 200))
      return notTested(`a valid cancel was answered ${describeAnswer(cancel)}, which SESSION-2 evaluates`);
    const untouched = untouchedSessionOf(session);
    const found = effectsOf(session, untouched?.volatilePointers);
    if (found.effects.length > 0 && untouched === undefined)
      return notTested('a session changed, and no other session could be created to compare it with');
    if (found.effects.length > 0 && untouched?.disturbed !== undefined) {
      const reason = `a session changed after a refused cancel, but ${untouched.disturbed}`;
      return notTested(
        `${reason}, so something else may have changed it`,
        uniqueBodyRemedy(evidence.operation),
      );
    }
    return violatedOr(found.effects, () => evaluateWithoutEffect(session, found));
  },
});

export default check;

/** Cancels one session with a valid call, which shows what a cancel changes; false where that is not possible. */
async function showValidCancel(sessions: SessionClient): Promise<boolean> {
  const id = await sessions.create();
  const read = await sessions.read(id, steps.referenceRead);
  if (!hasStatus(read, 200)) return false;
  const cancel = await sessions.cancel(id, steps.referenceCancel);
  if (!hasStatus(cancel, 200)) return false;
  const before = fieldsOf(read);
  await sessions.read(id, steps.referenceReadAfter, (readAfter) => {
    const after = fieldsOf(readAfter);
    return before !== undefined && after !== undefined && cancelDiff(before, after).size === 0;
  });
  await sessions.cancel(id, steps.referenceCancelAgain);
  return true;
}

function withKey(credential: Credential): CallChanges {
  return { label: `cancel with ${credential.description}`, credential };
}

/** Cancels a session with wrong keys, reads it each time, and cancels it with a valid call. */
async function sendWrongKeys(sessions: SessionClient, keys: readonly Credential[]): Promise<void> {
  let id: string | undefined;
  for (const credential of keys) {
    if (id === undefined) {
      id = await sessions.create();
      await sessions.read(id, steps.read);
    }
    const cancel = await sessions.cancel(id, steps.cancelWithWrongKey, withKey(credential));
    // An accepted cancel is a violation that the checks of keys report; the next key needs an open session.
    const isOpen = !hasStatus(cancel, 200) && hasStatus(await sessions.read(id, steps.read), 200);
    if (!isOpen) id = undefined;
  }
  if (id !== undefined) await sessions.cancelOwn(id, steps.validCancel);
}

/** Cancels a session with wrong bodies, reads it each time, and cancels it with a valid call. */
async function sendWrongBodies(sessions: SessionClient): Promise<void> {
  const id = await sessions.create();
  await sessions.read(id, steps.read);
  let areRefused = true;
  for (const wrongBody of wrongBodies) {
    const cancel = await sessions.cancel(id, steps.cancelWithWrongBody, wrongBody);
    await sessions.read(id, steps.read);
    areRefused &&= hasStatus(cancel, 400);
  }
  if (areRefused) await sessions.cancelOwn(id, steps.validCancel);
}
