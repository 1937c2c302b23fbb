import { inconclusive, notTested, pass, violated, violatedOr } from '../../harness/checks/outcomes.ts';
import { describeAnswer, endOf, statusOf } from '../../harness/evidence/answer.ts';
import type { Evaluation, Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { SessionEvidence } from './session-evidence.ts';
import { hasStatus, sessionIdOf, showsItsOwn, unexpected } from './session-exchange.ts';
import { stateChanged } from './state-values.ts';
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
export function evaluateCancels(session: SessionEvidence, cancel: Exchange, remedy: string): Evaluation {
  const statement = 'A fresh session could not be cancelled';
  const rested = session.last('cancelRested');
  if (rested !== undefined && hasStatus(rested, 409)) return violated(unexpected(statement, '200', rested));
  // Something else may have ended the session.
  const mayBeEnded = hasStatus(cancel, 404, 409);
  if (!hasStatus(cancel, 200))
    return (
      (mayBeEnded ? otherCauseOf(session, cancel, remedy) : undefined) ??
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
function otherCauseOf(session: SessionEvidence, cancel: Exchange, remedy: string): Evaluation | undefined {
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
  return notTested(`${answered}, but ${untouched.disturbed}, so something else may have ended it`, remedy);
}

/** Whether the session still shows its state at the create, although other sessions of this target change. */
function isUnchanged(session: SessionEvidence): boolean {
  const created = session.createdFields(session.last('readFresh'));
  const [before, after] = [session.fields('readFresh'), session.fields('readRefused')];
  if (created === undefined || before === undefined || after === undefined) return false;
  return !stateChanged(created, before) && !stateChanged(before, after);
}
