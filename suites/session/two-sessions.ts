import { inconclusive, notApplicable, notTested, pass, violated } from '../../harness/checks/outcomes.ts';
import { describeAnswer } from '../../harness/evidence/answer.ts';
import { changedLeaves, mentions } from '../../harness/evidence/json-leaves.ts';
import type { Evaluation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { sharedSession } from '../../harness/results/causes/cause-fixes.ts';
import { evaluateContradictions, untouchedSessionOf } from './comparison.ts';
import { hasStatus, type SessionEvidence, sessionIdOf } from './session-evidence.ts';
import { type Contradiction, contradictionsOf, violationOf } from './session-model.ts';

/** The evaluation where the second create made no session, or a session has the id of another one; undefined otherwise. */
export function evaluateSecond(session: SessionEvidence): Evaluation | undefined {
  const shared = session.creates.find((one) => {
    const first = session.creationOf(session.idCreatedBy(one));
    return first !== undefined && first.request.body?.text !== one.request.body?.text;
  });
  if (shared !== undefined)
    return violated({
      statement: 'Two different creates made one session',
      expected: 'two ids',
      actual: 'one id for both',
      deviation: sharedSession,
      exchange: shared,
      steps: session.stepsTo(shared),
    });
  const [first, second] = [session.last('readFirstAlone'), session.last('readSecond')];
  if (second !== undefined)
    return sessionIdOf(second) === sessionIdOf(first)
      ? inconclusive('two equal creates returned one session, which conforms', session.remedy)
      : undefined;
  const [, created] = creates(session);
  if (created === undefined || !hasStatus(created, 409))
    return notTested(`a second create was answered ${created ? describeAnswer(created) : 'nothing'}`);
  const reason = 'a second create is answered 409 while the first session is open, which conforms';
  return createsDiffer(session) ? notApplicable(reason) : inconclusive(reason, session.remedy);
}

/** The evaluation where the create of the second session ended the first: it changed, and a cancel of it is refused. */
export function evaluateReplacement(session: SessionEvidence): Evaluation | undefined {
  const cancel = session.last('cancelFirst');
  const [before, after] = [session.fields('readFirstAlone'), session.fields('readFirst')];
  const hasChanged = before !== undefined && after !== undefined && changedLeaves(before, after).length > 0;
  const ended = endedBy(session, 'creates-session').find(({ exchange }) => exchange === cancel);
  if (ended === undefined || !(hasChanged || session.answered('readFirst', 404))) return undefined;
  if (!createsDiffer(session))
    return notTested('the first session ended when an equal one was created, which conforms', session.remedy);
  const created = session.createdFields(session.last('readSecond'));
  if (created !== undefined && mentions(created, sessionIdOf(cancel) ?? ''))
    return inconclusive('the second session names the first, so it may replace it');
  return violated({ ...violationOf(ended), statement: 'Creating a session ended an earlier one' });
}

/** The evaluation of what cancelling the first session did to the second. */
export function evaluateEffect(session: SessionEvidence): Evaluation {
  return evaluateContradictions(session, effectsOnSecond(session), () => {
    const left = session.last('cancelSecond');
    if (hasStatus(left, 200))
      return pass('two sessions with different ids, and cancelling one left the other');
    const answer = left === undefined ? 'not sent' : `answered ${describeAnswer(left)}`;
    return inconclusive(`the cancel of the second session was ${answer}`);
  });
}

/** The effect that cancelling the first session had on the second. */
export function effectsOnSecond(session: SessionEvidence): readonly Contradiction[] {
  const second = session.lastOf('readSecondAgain', 'cancelSecond');
  return endedBy(session, 'ends-session')
    .filter(({ exchange }) => second.includes(exchange))
    .slice(0, 1)
    .map((one) => ({ ...one, statement: 'Cancelling one session changed another' }));
}

/** What shows that a call on another session ended one. */
function endedBy(
  session: SessionEvidence,
  role: 'creates-session' | 'ends-session',
): readonly Contradiction[] {
  return contradictionsOf(session, untouchedSessionOf(session)?.volatilePointers)
    .filter(
      ({ rule, since }) => rule === 'stays open' && since.slice(-1).some((one) => session.is(role, one)),
    )
    .map((one) => ({ ...one, steps: session.stepsTo(one.exchange) }));
}

/** The creates of the two sessions. */
function creates(
  session: SessionEvidence,
): readonly [first: Exchange | undefined, second: Exchange | undefined] {
  const { exchanges } = session;
  const isCreate = (one: Exchange): boolean => session.is('creates-session', one);
  const alone = exchanges.findIndex(({ step }) => step === 'readFirstAlone');
  const both = exchanges.findIndex(({ step }) => step === 'readSecond');
  const between = exchanges.slice(alone, both < 0 ? undefined : both);
  return [exchanges.slice(0, alone).findLast(isCreate), between.findLast(isCreate)];
}

/** Whether the creates of the two sessions had different bodies. */
function createsDiffer(session: SessionEvidence): boolean {
  const [first, second] = creates(session).map((one) => one?.request.body?.text);
  return first !== undefined && second !== undefined && first !== second;
}
