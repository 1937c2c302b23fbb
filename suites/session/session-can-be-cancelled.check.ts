import { activeCheck } from '../../harness/checks/active-check.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, notTested, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { control, namedSteps, probe, witness } from '../../harness/checks/step.ts';
import { backwards, varyTexts } from '../../harness/checks/vary-body.ts';
import { describeAnswer, endOf, parseBody, statusOf } from '../../harness/evidence/answer.ts';
import { changedLeaves, leavesOf } from '../../harness/evidence/json-leaves.ts';
import type { Evaluation, Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { CaseClient } from '../../harness/requests/case-client.ts';
import { equalWithinMs, type SessionClient, withSessions } from './session-client.ts';
import { SessionEvidence } from './session-evidence.ts';
import { bodyFields, fieldsOf, hasStatus, sessionIdOf, showsItsOwn } from './session-exchange.ts';
import { isCancelOperation, isReadOperation, uniqueBodyRemedy } from './session-operations.ts';
import { stateChanged } from './state-values.ts';
import { untouchedSessionOf, untouchedSteps, watchUntouchedSession } from './untouched-session.ts';

const steps = {
  ...namedSteps({
    readFresh: witness('reads the fresh session'),
    cancelFresh: control('cancels the fresh session'),
    cancelRested: probe('cancels a session of which nothing is under way any more', { followUp: true }),
    cancelAgain: probe('cancels the session again', { at: isCancelOperation }),
    cancelAtOnce: probe('cancels a session twice at once, for two reasons', {
      at: isCancelOperation,
      // Whether two calls meet is a matter of chance.
      times: { quick: 2, standard: 4, deep: 4 },
    }),
    readCancelled: probe('reads the cancelled session'),
    readRefused: witness('reads the session that could not be cancelled', { followUp: true }),
    // Sent only where an equal create returned a session that this run had cancelled.
    createOther: probe('creates a session with another body', { followUp: true }),
    // Sent only where that create, too, returned a session that this run had cancelled.
    readReturned: witness('reads the cancelled session that the create returned', { followUp: true }),
    cancelReturned: witness('cancels it again', { followUp: true }),
    readReturnedAgain: witness('reads it again', { followUp: true }),
  }),
  ...untouchedSteps,
};

/** Milliseconds of a cancel after which another session would have to rest so long that it may end by itself. */
const mostElapsedMs = 500;

/** By how much other bodies differ from the first, none of them sent by other checks: one for each attempt, and one more. */
const otherBodies = [3, 4, 5, 6];

type Cancels = SessionEvidence<keyof typeof steps>;

const check: ActiveCheck = activeCheck({
  requirement: 'SESSION-2',
  title: 'A fresh session can be cancelled, and a second cancel or a read of it gets a defined status',
  applies: (operation) => isCancelOperation(operation) || isReadOperation(operation),
  needs: () => ['scoped-key', 'valid-call'],
  from: (operation) => (isCancelOperation(operation) ? 'quick' : 'standard'),
  steps,
  probe: (client, operation) =>
    withSessions(client, async (sessions) => {
      const id = await createFresh(sessions);
      const fresh = await sessions.read(id, steps.readFresh);
      const cancel = await sessions.cancelOwn(id, steps.cancelFresh);
      const [first = cancel] = client.exchanges.filter(({ step }) => step === steps.cancelFresh.step);
      const elapsedMs = endOf(cancel) - Date.parse(first.startedAt);
      if (hasStatus(cancel, 200)) {
        if (isCancelOperation(operation)) await sessions.cancel(id, steps.cancelAgain);
        await sessions.readOnce(id, steps.readCancelled);
        if (isCancelOperation(operation)) await cancelAtOnce(client, sessions);
        if (wasRefusedFirst(client.exchanges) && elapsedMs <= mostElapsedMs) {
          const rested = await sessions.create();
          // A session that is initialized by then was refused for the time, another for being cancelled once only.
          await client.pause(2 * elapsedMs);
          await sessions.cancelOnce(rested, steps.cancelRested, { propagationDelayMs: 0 });
        }
      } else if (isCancelOperation(operation) && hasStatus(cancel, 404, 409) && hasStatus(fresh, 200)) {
        await sessions.read(id, steps.readRefused);
        await watchUntouchedSession(sessions, 'created and cancelled', 0);
      }
    }),
  evaluate: (evidence) => {
    const session: Cancels = new SessionEvidence(evidence);
    const returned = cancelledReturned(session);
    if (returned !== undefined) {
      return isKnownByReference(session)
        ? inconclusive(
            'each create returns a session that this run has cancelled, perhaps by a reference in its body',
            uniqueBodyRemedy(evidence.operation),
          )
        : violatedOr([returned], () => pass(''));
    }
    const cancel = session.last('cancelFresh');
    if (cancel === undefined) return inconclusive('no session was created that could be cancelled');
    if (isReadOperation(evidence.operation)) return evaluateRead(session, cancel);
    const cancels = evaluateCancels(session, cancel, uniqueBodyRemedy(evidence.operation));
    if (cancels.outcome !== 'pass') return cancels;
    // A session that cannot be read is a defect of the cancel only where it could be read before.
    const read = evaluateRead(session, cancel);
    return read.outcome === 'violated' ? read : cancels;
  },
});

export default check;

/**
 * Creates a session that the run has not cancelled: a target may take creates for equal by their body, or by their time.
 * Looks at the session where there is no other.
 */
async function createFresh(sessions: SessionClient): Promise<string> {
  const first = await sessions.create();
  if (!sessions.wasCancelled(first)) return first;
  await sessions.pause(2 * equalWithinMs);
  let other: string | undefined = first;
  // A target that knows creates by their body for good knows those of earlier attempts.
  for (const by of otherBodies) {
    other = await sessions.createWithOtherBody(steps.createOther, by);
    if (other === undefined || !sessions.wasCancelled(other)) return other ?? first;
  }
  await sessions.readOnce(other, steps.readReturned);
  await sessions.cancel(other, steps.cancelReturned);
  await sessions.readOnce(other, steps.readReturnedAgain);
  return other;
}

/** The create that returned a session which had been cancelled and still is; undefined where it may be open again. */
function cancelledReturned(session: Cancels): Violation | undefined {
  const exchange = session.last('createOther');
  const cancel = session.last('cancelReturned');
  const created = bodyFields(exchange);
  if (exchange === undefined || created === undefined) return undefined;
  const before = fieldsOf(session.last('readReturned'));
  const after = fieldsOf(session.last('readReturnedAgain'));
  const volatile = new Set(before && after ? changedLeaves(before, after) : []);
  const isContradicted = before === undefined || stateChanged(created, before, volatile);
  const isOpenAgain =
    !hasStatus(cancel, 200, 404, 409) ||
    (hasStatus(cancel, 200) && (!isContradicted || !before || !after || stateChanged(before, after)));
  if (isOpenAgain) return undefined;
  return {
    statement: isContradicted
      ? 'A create with another body returned a session that this run had cancelled, as if it were open'
      : 'A create with another body returned a session that this run had cancelled',
    expected: 'a session that can be cancelled',
    actual: `200 with a session that had been cancelled, and whose cancel is now answered ${describeAnswer(cancel ?? exchange)}`,
    ...(isContradicted ? {} : { clause: 'cancelled-shown' }),
    fix: 'Make a new session where the one that a create would return has been cancelled.',
    exchange,
    steps: session.stepsTo(session.last('readReturnedAgain') ?? exchange),
  };
}

const referenceField = /ref|order|cart|basket|external|idempot|request|transaction|nonce|correlation|id$/i;

/** Whether all creates have a reference in common, by which a target may take them for one. */
function isKnownByReference(session: Cancels): boolean {
  const bodies = session.exchanges
    .filter((one) => session.isCreate(one))
    .flatMap((one) => leavesOf(parseBody(one.request.body)));
  const [first = new Map(), ...others] = bodies;
  return [...first].some(
    ([pointer, leaf]) =>
      referenceField.test(pointer.slice(pointer.lastIndexOf('/') + 1)) &&
      others.every((other) => other.get(pointer) === leaf),
  );
}

/** Two clients may cancel one session. A service may join their calls, but not report to each that its own was carried out. */
async function cancelAtOnce(client: CaseClient, sessions: SessionClient): Promise<void> {
  const model = client.exchanges.findLast(({ step }) => step === steps.cancelFresh.step);
  const isLeftOut = client.excludes('unknown-values', 'body', client.withRole('ends-session'));
  const [other] = model === undefined || isLeftOut ? [] : varyTexts(model, backwards);
  const changes = { connection: 'fresh', propagationDelayMs: 0 } as const;
  for (let calls = 0; calls < client.times(steps.cancelAtOnce); calls += 2) {
    const id = await sessions.tryToCreate();
    if (id === undefined) return;
    await Promise.all([
      sessions.cancelOnce(id, steps.cancelAtOnce, changes),
      sessions.cancelOnce(
        id,
        steps.cancelAtOnce,
        other === undefined ? changes : { ...changes, body: other },
      ),
    ]);
  }
}

/** Two cancels at once of which each shows what it alone has sent, though one after another the second is refused. */
function cancelledTwice(session: Cancels): Violation | undefined {
  if (!hasStatus(session.last('cancelAgain'), 404, 409) || session.all('cancelFresh').length > 1)
    return undefined;
  const atOnce = session.all('cancelAtOnce').filter((cancel) => hasStatus(cancel, 200));
  for (const exchange of atOnce) {
    const other = atOnce.find((one) => one !== exchange && sessionIdOf(one) === sessionIdOf(exchange));
    if (other === undefined || !showsItsOwn(exchange, other) || !showsItsOwn(other, exchange)) continue;
    return {
      statement: 'A session could be cancelled twice at once',
      expected: '200 to one cancel, and 404 or 409 to the other, as one after another',
      actual: '200, and its own reason, for each',
      clause: 'at-once',
      fix: 'Check the state and change it in one step: a transaction that locks the row, or one conditional UPDATE whose number of rows decides between 200 and 409.',
      exchange,
      steps: [other, exchange],
    };
  }
  return undefined;
}

/** Whether the first cancel conflicted, and a later one did not: a session may be initialized for a moment. */
function wasRefusedFirst(exchanges: readonly Exchange[]): boolean {
  const cancels = exchanges.filter(({ step }) => step === steps.cancelFresh.step);
  return hasStatus(cancels[0], 409) && hasStatus(cancels.at(-1), 200);
}

function evaluateCancels(session: Cancels, cancel: Exchange, remedy: string): Evaluation {
  const rested = session.last('cancelRested');
  if (hasStatus(rested, 409) && rested !== undefined)
    return violated('A fresh session could not be cancelled', '200', rested);
  if (hasStatus(cancel, 200)) {
    const again = session.last('cancelAgain');
    if (again === undefined) return inconclusive('cancelled with 200, but not cancelled a second time');
    const twice = cancelledTwice(session);
    return hasStatus(again, 200, 404, 409)
      ? violatedOr(twice === undefined ? [] : [twice], () =>
          pass(`cancelled with 200, and answered ${statusOf(again)} to a second cancel`),
        )
      : violated('A repeated cancel was answered with an unexpected status', '200, 404 or 409', again);
  }
  // Also the responses to a cancel of a session that something else has ended.
  const otherCause = hasStatus(cancel, 404, 409) ? otherCauseOf(session, cancel, remedy) : undefined;
  return otherCause ?? violated('A fresh session could not be cancelled', '200', cancel);
}

function evaluateRead(session: Cancels, cancel: Exchange): Evaluation {
  const read = session.last('readCancelled');
  if (!hasStatus(session.last('readFresh'), 200))
    return inconclusive('the session could not be read before its cancel either, which SESSION-1 evaluates');
  if (read === undefined || !hasStatus(cancel, 200)) {
    return inconclusive(`there is no cancelled session: the cancel was answered ${describeAnswer(cancel)}`);
  }
  return hasStatus(read, 200, 404)
    ? pass(`a cancelled session is read with ${statusOf(read)}`)
    : violated('A cancelled session was neither read nor reported as not found', '200 or 404', read);
}

/** The evaluation where something else may have ended the fresh session; undefined where nothing else can have. */
function otherCauseOf(session: Cancels, cancel: Exchange, remedy: string): Evaluation | undefined {
  const answered = `the cancel of a fresh session was answered ${describeAnswer(cancel)}`;
  if (session.wasThrottled(cancel)) {
    const reason = `${answered}, after a throttled cancel that may have taken effect`;
    return notTested(reason, '--rate <fewer requests per second>');
  }
  if (!hasStatus(session.last('readFresh'), 200))
    return inconclusive(`${answered}, but the session cannot be read either, which SESSION-1 evaluates`);
  if (!hasStatus(session.last('readRefused'), 200))
    return notTested(`${answered}, and then it could not be read, so something else may have ended it`);
  const untouched = untouchedSessionOf(session);
  if (untouched === undefined)
    return inconclusive(`${answered}, and no other session could be created to compare it with`);
  if (untouched.disturbed === undefined || (!untouched.isShared && isUnchanged(session))) return undefined;
  return notTested(`${answered}, but ${untouched.disturbed}, so something else may have ended it`, remedy);
}

/** Whether the session still shows its state at the create, although other sessions of this target change. */
function isUnchanged(session: Cancels): boolean {
  const created = session.createdFields(session.last('readFresh'));
  const before = fieldsOf(session.last('readFresh'));
  const after = fieldsOf(session.last('readRefused'));
  if (created === undefined || before === undefined || after === undefined) return false;
  return !stateChanged(created, before) && !stateChanged(before, after);
}

function violated(statement: string, expected: string, exchange: Exchange): Evaluation {
  return violatedOr([{ statement, expected, actual: describeAnswer(exchange), exchange }], () => pass(''));
}
