import type { CaseClient } from '../../harness/calls/case-client.ts';
import {
  inconclusive,
  notTested,
  pass,
  unexpected,
  violated,
  violatedOr,
} from '../../harness/checks/outcomes.ts';
import { namedSteps, probe, type Steps, witness } from '../../harness/checks/step.ts';
import { describeAnswer, endOf, parseBody, statusOf } from '../../harness/evidence/answer.ts';
import { changedLeaves, leavesOf } from '../../harness/evidence/json-leaves.ts';
import type { Evaluation, Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { stateChanged } from './session-changes.ts';
import { equalWithinMs, type SessionClient } from './session-client.ts';
import { bodyFields, hasStatus, type SessionEvidence, sessionIdOf, showsItsOwn } from './session-evidence.ts';
import { cancel, create, read } from './session-story.ts';
import { untouchedSessionOf } from './untouched-session.ts';

/** Milliseconds of a cancel after which another session would have to rest so long that it may end by itself. */
const mostElapsedMs = 500;

/** Milliseconds from the first try of the first cancel to the end of the last. */
export function elapsedMs(session: SessionEvidence): number {
  const cancels = session.all('cancelFresh');
  const [first, last] = [cancels[0], cancels.at(-1)];
  return first === undefined || last === undefined ? 0 : endOf(last) - Date.parse(first.startedAt);
}

/** Whether the first cancel conflicted, and a later one soon did not: a session may be initialized for a moment. */
export function wasRefusedFirst(session: SessionEvidence): boolean {
  const cancels = session.all('cancelFresh');
  const isRefused = hasStatus(cancels[0], 409) && hasStatus(cancels.at(-1), 200);
  return isRefused && elapsedMs(session) <= mostElapsedMs;
}

/** Evaluates the cancels of a session. */
export function evaluateCancels(session: SessionEvidence, cancel: Exchange): Evaluation {
  const statement = 'A fresh session could not be cancelled';
  const rested = session.last('cancelRested');
  if (rested !== undefined && hasStatus(rested, 409)) return violated(unexpected(statement, '200', rested));
  // Something else may have ended the session.
  const mayBeEnded = hasStatus(cancel, 404, 409);
  if (!hasStatus(cancel, 200))
    return (
      (mayBeEnded ? otherCauseOf(session, cancel) : undefined) ??
      violated(unexpected(statement, '200', cancel))
    );
  const again = session.last('cancelAgain');
  if (again === undefined) return inconclusive('cancelled with 200, but not cancelled a second time');
  return hasStatus(again, 200, 404, 409)
    ? violatedOr(cancelledTwice(session), () =>
        pass(`cancelled with 200, and answered ${statusOf(again)} to a second cancel`),
      )
    : violated(
        unexpected('A repeated cancel was answered with an unexpected status', '200, 404 or 409', again),
      );
}

/** Evaluates the read of a session after its cancel. */
export function evaluateRead(session: SessionEvidence, cancel: Exchange): Evaluation {
  const read = session.last('readCancelled');
  if (!session.answered('readFresh', 200))
    return inconclusive('the session could not be read before its cancel either, which SESSION-1 evaluates');
  if (read === undefined || !hasStatus(cancel, 200))
    return inconclusive(`there is no cancelled session: the cancel was answered ${describeAnswer(cancel)}`);
  if (hasStatus(read, 200, 404)) return pass(`a cancelled session is read with ${statusOf(read)}`);
  const statement = 'A cancelled session was neither read nor reported as not found';
  return violated(unexpected(statement, '200 or 404', read));
}

/** Two cancels at once of which each shows what it alone has sent, though one after another the second is refused. */
function cancelledTwice(session: SessionEvidence): readonly Violation[] {
  const areRefused = session.answered('cancelAgain', 404, 409) && session.all('cancelFresh').length === 1;
  const atOnce = areRefused ? session.all('cancelAtOnce').filter((cancel) => hasStatus(cancel, 200)) : [];
  const pairs = atOnce.flatMap((exchange) =>
    atOnce
      .filter((other) => other !== exchange && sessionIdOf(other) === sessionIdOf(exchange))
      .map((other) => [other, exchange] as const),
  );
  const steps = pairs.find(([one, two]) => showsItsOwn(one, two) && showsItsOwn(two, one));
  if (steps === undefined) return [];
  const violation = {
    statement: 'A session could be cancelled twice at once',
    expected: '200 to one cancel, and 404 or 409 to the other, as one after another',
    actual: '200, and its own reason, for each',
    clause: 'at-once',
    fix: 'Check the state and change it in one step: a transaction that locks the row, or one conditional UPDATE whose number of rows decides between 200 and 409.',
    exchange: steps[1],
    steps,
  };
  return [violation];
}

/** The evaluation where something else may have ended the fresh session; undefined where nothing else can have. */
function otherCauseOf(session: SessionEvidence, cancel: Exchange): Evaluation | undefined {
  const answered = `the cancel of a fresh session was answered ${describeAnswer(cancel)}`;
  if (session.wasThrottled(cancel)) {
    const reason = `${answered}, after a throttled cancel that may have taken effect`;
    return notTested(reason, '--rate <fewer requests per second>');
  }
  if (!session.answered('readFresh', 200))
    return inconclusive(`${answered}, but the session cannot be read either, which SESSION-1 evaluates`);
  if (!session.answered('readRefused', 200))
    return notTested(`${answered}, and then it could not be read, so something else may have ended it`);
  const untouched = untouchedSessionOf(session);
  if (untouched === undefined)
    return inconclusive(`${answered}, and no other session could be created to compare it with`);
  const isOwnChange = untouched.isShared !== true && isUnchanged(session);
  if (untouched.disturbed === undefined || isOwnChange) return undefined;
  return notTested(
    `${answered}, but ${untouched.disturbed}, so something else may have ended it`,
    session.remedy,
  );
}

/** Whether the session still shows its state at the create, although other sessions of this target change. */
function isUnchanged(session: SessionEvidence): boolean {
  const created = session.createdFields(session.last('readFresh'));
  const [before, after] = [session.fields('readFresh'), session.fields('readRefused')];
  if (created === undefined || before === undefined || after === undefined) return false;
  return !stateChanged(created, before) && !stateChanged(before, after);
}

const followUp = true;

const steps = namedSteps({
  createOther: create('A', probe('creates a session with another body', { followUp })),
  readReturned: read('A', witness('reads the cancelled session that the create returned', { followUp }), {
    once: true,
  }),
  cancelReturned: cancel('A', witness('cancels it again', { followUp })),
  readReturnedAgain: read('A', witness('reads it again', { followUp }), { once: true }),
});

/** Steps for a target whose creates return a session that this run has cancelled. */
export const returnedSteps: Steps = steps;

/** By how much other bodies differ from the first, none of them sent by other checks: one for each attempt, and one more. */
const otherBodies = [3, 4, 5, 6];

/**
 * Creates a session that the run has not cancelled: a target may take creates for equal by their body, or by their time.
 * Looks at the session where there is no other.
 */
export async function createFresh(sessions: SessionClient, client: CaseClient): Promise<string> {
  const first = await sessions.create();
  if (!sessions.wasCancelled(first)) return first;
  await client.pause(2 * equalWithinMs);
  const { createOther, ...look } = steps;
  const ids = new Map<string, string | undefined>();
  // A target that knows creates by their body for good knows those of earlier attempts.
  for (const by of otherBodies) {
    await sessions.play([{ ...createOther, varied: { by: [by] } }], ids);
    const id = ids.get('A');
    if (id === undefined || !sessions.wasCancelled(id)) return id ?? first;
  }
  await sessions.play(Object.values(look), ids);
  return ids.get('A') ?? first;
}

/** The evaluation of a create that returned a cancelled session; undefined where none did, or it may be open again. */
export function evaluateReturned(session: SessionEvidence): Evaluation | undefined {
  const exchange = session.last('createOther');
  const created = bodyFields(exchange);
  if (exchange === undefined || created === undefined) return undefined;
  const [before, after] = [session.fields('readReturned'), session.fields('readReturnedAgain')];
  const volatile = new Set(before && after ? changedLeaves(before, after) : []);
  const isContradicted = before === undefined || stateChanged(created, before, volatile);
  const isShownCancelled = isContradicted && before && after && !stateChanged(before, after);
  const isEnded = session.answered('cancelReturned', 200)
    ? isShownCancelled === true
    : session.answered('cancelReturned', 404, 409);
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
    ...(isContradicted ? {} : { clause: 'cancelled-shown' }),
    fix: 'Make a new session where the one that a create would return has been cancelled.',
    exchange,
    steps: session.stepsTo(session.last('readReturnedAgain') ?? exchange),
  });
}

const referenceField = /ref|order|cart|basket|external|idempot|request|transaction|nonce|correlation|id$/i;

/** Whether all creates have a reference in common, by which a target may take them for one. */
function isKnownByReference(session: SessionEvidence): boolean {
  const creates = session.exchanges.filter((one) => session.is('creates-session', one));
  const [first = new Map(), ...others] = creates.map(({ request }) => leavesOf(parseBody(request.body)));
  return [...first].some(
    ([pointer, leaf]) =>
      referenceField.test(pointer.slice(pointer.lastIndexOf('/') + 1)) &&
      others.every((other) => other.get(pointer) === leaf),
  );
}
