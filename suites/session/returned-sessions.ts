import { inconclusive, violated } from '../../harness/checks/outcomes.ts';
import { namedSteps, probe, type Steps, witness } from '../../harness/checks/step.ts';
import { describeAnswer, hasStatus, parseBody } from '../../harness/evidence/answer.ts';
import { changedLeaves, leavesOf } from '../../harness/evidence/json-leaves.ts';
import type { Evaluation } from '../../harness/model/evaluation.ts';
import { sharedSession } from '../../harness/results/causes/cause-fixes.ts';
import { type Continue, equalWithinMs, type SessionClient } from './session-client.ts';
import { bodyFields, fieldsOf, type SessionEvidence } from './session-evidence.ts';
import { stateChanged } from './session-fields.ts';

const once = true as const;

const steps = namedSteps({
  createOther: { ...probe('creates a session with another body'), asReturned: true as const },
  readReturned: { ...witness('reads the cancelled session that the create returned'), once },
  cancelReturned: witness('cancels it again'),
  readReturnedAgain: { ...witness('reads it again'), once },
});

/** Steps for a target whose creates return a session that this run has cancelled. */
export const returnedSteps: Steps = steps;

/** Other bodies, none of them sent by other checks: one for each attempt, and one more. */
const otherBodies = ['third', 'fourth', 'fifth', 'sixth'];

/**
 * Creates a session that the run has not cancelled: a target may take creates for equal by their body, or by their time.
 * Looks at the session where there is no other.
 */
export async function createFresh(sessions: SessionClient): Promise<Continue | undefined> {
  await sessions.client.pause(2 * equalWithinMs);
  let more: Continue | undefined;
  // A target that knows creates by their body for good knows those of earlier attempts.
  for (const nth of otherBodies) {
    more = await sessions.walk(`create A with a ${nth} body`, steps.createOther);
    if (!sessions.hasReturned) return more;
  }
  await more?.('read A', steps.readReturned);
  await more?.('cancel A', steps.cancelReturned);
  await more?.('read A', steps.readReturnedAgain);
  return undefined;
}

/** The evaluation of a create that returned a cancelled session; undefined where none did, or it may be open again. */
export function evaluateReturned(session: SessionEvidence): Evaluation | undefined {
  const exchange = session.last('createOther');
  const created = bodyFields(exchange);
  if (exchange === undefined || created === undefined) return undefined;
  const [before, after] = ['readReturned', 'readReturnedAgain'].map((step) => fieldsOf(session.last(step)));
  const volatile = new Set(before && after ? changedLeaves(before, after) : []);
  const isContradicted = before === undefined || stateChanged(created, before, volatile);
  const isShownCancelled = isContradicted && before && after && !stateChanged(before, after);
  const isEnded = hasStatus(session.last('cancelReturned'), 200)
    ? isShownCancelled === true
    : hasStatus(session.last('cancelReturned'), 404, 409);
  if (!isEnded) return undefined;
  if (isKnownByReference(session))
    return inconclusive(
      'each create returns a session that this run has cancelled, perhaps by a reference in its body',
      session.remedy,
    );
  const statement = 'A create with another body returned a session that this run had cancelled';
  return violated({
    statement: isContradicted ? `${statement}, as if it were open` : statement,
    expected: 'a session that can be cancelled',
    actual: `200 with a session that had been cancelled, and whose cancel is now answered ${describeAnswer(session.last('cancelReturned') ?? exchange)}`,
    deviation: sharedSession,
    ...(isContradicted ? {} : { clause: 'cancelled-shown' }),
    fix: 'Create a new session if the one that a create would return has been cancelled.',
    exchange,
    steps: session.stepsTo(session.last('readReturnedAgain') ?? exchange),
  });
}

const referenceField = /ref|order|cart|basket|external|idempot|request|transaction|nonce|correlation|id$/i;

/** Whether all creates have a reference in common, by which a target may take them for one. */
function isKnownByReference(session: SessionEvidence): boolean {
  const [first = new Map(), ...others] = session
    .by('creates-session')
    .map(({ request }) => leavesOf(parseBody(request.body)));
  return [...first].some(
    ([pointer, leaf]) =>
      referenceField.test(pointer.slice(pointer.lastIndexOf('/') + 1)) &&
      others.every((other) => other.get(pointer) === leaf),
  );
}
