import { inconclusive, notTested, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { describeAnswer, endOf, startOf, statusOf } from '../../harness/evidence/answer.ts';
import type { Evaluation, Violation } from '../../harness/model/evaluation.ts';
import { evaluateContradictions } from './comparison.ts';
import { notReached } from './session-check.ts';
import { hasStatus, type SessionEvidence, sessionIdOf } from './session-evidence.ts';
import { showsOf } from './session-fields.ts';
import { type Contradiction, contradictionsAt, violationOf } from './session-model.ts';

/** Milliseconds of a cancel after which another session would have to rest so long that it may end by itself. */
const mostElapsedMs = 500;

/** Milliseconds from the first try of the first cancel to the end of the last. */
export function elapsedMs(session: SessionEvidence): number {
  const cancels = session.of('cancelFresh');
  const [first, last] = [cancels[0], cancels.at(-1)];
  return first === undefined || last === undefined ? 0 : endOf(last) - startOf(first);
}

/** Whether the first cancel conflicted, and a later one soon did not: a session may be initialized for a moment. */
export function wasRefusedFirst(session: SessionEvidence): boolean {
  const isRefused = hasStatus(session.of('cancelFresh')[0], 409) && session.answered('cancelFresh', 200);
  return isRefused && elapsedMs(session) <= mostElapsedMs;
}

/** What is wrong with the cancels of a session. */
export function wrongCancels(session: SessionEvidence): readonly Contradiction[] {
  const rested = session.answered('cancelRested', 409) ? ['cancelRested'] : [];
  return contradictionsAt(session, 'status', ...rested, 'cancelFresh', 'cancelAgain').map((one) => ({
    ...one,
    // It was refused for the time, or for being cancelled once only.
    isDoubtful: one.isDoubtful && hasStatus(one.exchange, 404, 409) && one.exchange.step !== 'cancelRested',
  }));
}

/** Evaluates the cancels of a session. */
export function evaluateCancels(session: SessionEvidence): Evaluation {
  const [cancel, again] = [session.last('cancelFresh'), session.last('cancelAgain')];
  if (cancel === undefined) return inconclusive('no session was created that could be cancelled');
  if (hasStatus(cancel, 404, 409) && !session.answered('readRefused', 200))
    return notTested(
      `a fresh session could neither be cancelled, which was answered ${describeAnswer(cancel)}, nor read`,
    );
  return evaluateContradictions(session, wrongCancels(session), () => {
    if (again === undefined)
      return inconclusive(`the cancel was answered ${describeAnswer(cancel)}, and not sent a second time`);
    // A session that cannot be read is a defect of the cancel only where it could be read before.
    const reads = session.answered('readFresh', 200)
      ? contradictionsAt(session, 'status', 'readCancelled')
      : [];
    return violatedOr([...cancelledTwice(session), ...reads.map(violationOf)], () =>
      pass(`cancelled with 200, and answered ${statusOf(again)} to a second cancel`),
    );
  });
}

/** Evaluates the read of a session after its cancel. */
export function evaluateRead(session: SessionEvidence): Evaluation {
  const read = session.last('readCancelled');
  const unmet = notReached(session, 'readFresh', 'cancelFresh');
  if (unmet !== undefined || read === undefined)
    return unmet ?? inconclusive('the session was not read after its cancel');
  return violatedOr(contradictionsAt(session, 'status', 'readCancelled').map(violationOf), () =>
    pass(`a cancelled session is read with ${statusOf(read)}`),
  );
}

/** Two cancels at once of which each shows what it alone has sent, though one after another the second is refused. */
function cancelledTwice(session: SessionEvidence): readonly Violation[] {
  const areRefused = session.answered('cancelAgain', 404, 409) && session.of('cancelFresh').length === 1;
  const atOnce = areRefused ? session.of('cancelAtOnce').filter((cancel) => hasStatus(cancel, 200)) : [];
  const pairs = atOnce.flatMap((exchange) =>
    atOnce
      .filter((other) => other !== exchange && sessionIdOf(other) === sessionIdOf(exchange))
      .map((other) => [other, exchange] as const),
  );
  const steps = pairs.find(([one, two]) => showsOf(one, one, two) && showsOf(two, two, one));
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
