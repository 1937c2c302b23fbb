import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, notTested, pass } from '../../harness/checks/outcomes.ts';
import { namedSteps, witness } from '../../harness/checks/step.ts';
import { describeAnswer, hasStatus, startOf, statusOf } from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { untouchedSessionOf } from './comparison.ts';
import { fieldsOf, type SessionEvidence, sessionIdOf } from './session-evidence.ts';
import { changesOf } from './session-fields.ts';
import { sessionShownBy } from './session-identity.ts';
import { cancelChanges, isVisible, livesIn, refusesRepeats } from './session-life.ts';
import { wayAt } from './walk.ts';
import { apart, joined, walkCheck } from './walk-check.ts';

const steps = namedSteps({ plain: witness('call of a walk without wrong cancels') });

const wrong =
  'create A, read A, read A without a key, read A with a key without the scope, cancel A without a key, cancel A with an unknown key, cancel A with a key without the scope, cancel A with a key without the scope, cancel A with a body that is not JSON, cancel A without a body';
const valid = 'read A, cancel A, read A';

export const check: ActiveCheck = walkCheck({
  requirement: 'SESSION-4',
  title: 'Refused reads and cancels leave the session as it was, and a valid cancel then succeeds',
  roles: ['ends-session'],
  needs: () => ['scoped-key', 'unscoped-key', 'valid-call'],
  walks: [
    joined(`${wrong}, ${valid}`),
    apart(`${wrong}, wait 2 s, read A, cancel A in another charset, ${valid}
      create A, wait 2 s, read A, cancel A by its id in capitals, read A, cancel A with an empty object, read A, cancel A as plain text, ${valid}`),
  ],
  // Where a session as old is cancelled without refused calls before, these are why the valid one is not.
  reports: ({ rule, state, end, age }, session) =>
    rule === 'refusal' ||
    (rule === 'status' &&
      state === 'open' &&
      session.is('ends-session', end) &&
      session.of('plain').some((one) => isCancelled(session, one) && ageOf(session, one) >= age)),
  company: 'another is created and cancelled',
  // What a valid cancel alone changes tells what a refused one did.
  steps,
  followUp: async (sessions) => {
    if (!hadNoEffect(sessions.evidence))
      await sessions.walk('create A, read A, wait 2 s, wait 2 s, cancel A, read A, cancel A', steps.plain);
  },
  evaluate: (session) => {
    const all = livesIn(session).filter(({ wrong }) => wrong.length > 0);
    if (all.length === 0) return inconclusive('no session was created');
    const cancelled = all.filter((life) => hasStatus(life.cancel, 200));
    const lives = cancelled.length > 0 ? cancelled : all;
    const [cancel] = lives.flatMap((life) => life.cancel ?? []);
    if (cancel === undefined) return inconclusive('the session cannot be read, which SESSION-1 evaluates');
    if (!hasStatus(cancel, 200))
      return notTested(
        `after refused calls, a valid cancel was answered ${describeAnswer(cancel)}, and no call showed that they are the reason`,
      );
    const isShown = (read: Exchange | undefined): boolean =>
      fieldsOf(read) !== undefined && (read && sessionShownBy(session, read)) !== 'unknown';
    // A refusal with a status that is not due is one all the same: other checks evaluate the status.
    const accepted = lives.flatMap(({ wrong }) => wrong).find((one) => (statusOf(one) ?? 0) < 400);
    if (accepted !== undefined)
      return inconclusive(
        `the ${accepted.label} was answered ${describeAnswer(accepted)}, which the checks of keys and bodies evaluate`,
      );
    const tested = lives.filter(
      ({ before, kept, wrong }) =>
        isShown(before) &&
        isShown(kept) &&
        wrong.some((one) => hasStatus(one, 401, 403) && wayAt(one).wrongBody === undefined),
    );
    if (tested.length === 0)
      return inconclusive('no cancel of a readable session was refused with 401 or 403');
    const isTold = tested.some(
      ({ kept, after }) => hasStatus(after, 404) || isVisible(changesOf(fieldsOf(kept), fieldsOf(after))),
    );
    const changes = cancelChanges(session, untouchedSessionOf(session)?.volatilePointers);
    if (!isTold && !isVisible(changes) && !refusesRepeats(session))
      return inconclusive(
        'neither a read nor a second cancel distinguishes a cancelled session from an open one',
      );
    const refusals = tested.flatMap(({ wrong }) => wrong).map(describeAnswer);
    return pass(`no effect of cancels that were refused with ${refusals.join(', ')}`);
  },
});

function isCancelled(session: SessionEvidence, exchange: Exchange): boolean {
  return session.is('ends-session', exchange) && hasStatus(exchange, 200);
}

/** Milliseconds between the create of a session and a call on it. */
function ageOf(session: SessionEvidence, exchange: Exchange): number {
  return startOf(exchange) - startOf(session.creationOf(sessionIdOf(exchange)) ?? exchange);
}

/** Whether a session was as before after all wrong cancels, and reads then showed a valid one. */
function hadNoEffect(session: SessionEvidence): boolean {
  return livesIn(session).every(({ wrong, before, kept, cancel, after }) => {
    const [was, is, ended] = [before, kept, after].map(fieldsOf);
    if (was === undefined || is === undefined || !hasStatus(cancel, 200)) return false;
    if (!wrong.every((one) => hasStatus(one, 400, 401, 403)) || changesOf(was, is).length > 0) return false;
    return ended === undefined ? hasStatus(after, 404) : isVisible(changesOf(is, ended));
  });
}
