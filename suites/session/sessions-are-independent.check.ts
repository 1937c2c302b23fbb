import { activeCheck } from '../../harness/checks/active-check.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, notTested, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { control, namedSteps, probe, witness } from '../../harness/checks/step.ts';
import { backwards, sentBody, varyTexts } from '../../harness/checks/vary-body.ts';
import { describeAnswer } from '../../harness/evidence/answer.ts';
import type { Evaluation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { RawBody } from '../../harness/requests/call-spec.ts';
import type { CaseClient } from '../../harness/requests/case-client.ts';
import { type SessionClient, withSessions } from './session-client.ts';
import { SessionEvidence } from './session-evidence.ts';
import { fieldsOf, hasStatus, sessionIdOf } from './session-exchange.ts';
import {
  collidedAtOnce,
  createsDiffer,
  effectOnSecond,
  idGivenAgain,
  isReplaced,
  secondCreate,
  secondNamesFirst,
  sharedAtOnce,
} from './session-independence.ts';
import { isCreateOperation, uniqueBodyRemedy } from './session-operations.ts';
import { untouchedSessionOf, untouchedSteps, watchUntouchedSession } from './untouched-session.ts';

const steps = {
  ...namedSteps({
    cancelModel: witness('cancels the session that shows the body'),
    createFirst: { role: 'setup', label: 'creates the first session with another body' },
    readFirstAlone: witness('reads the first session while it is the only one'),
    createSecond: { role: 'setup', label: 'creates the second session with yet another body' },
    readSecond: witness('reads the second session'),
    readFirst: witness('reads the first session after the second was created'),
    cancelFirst: control('cancels the first session'),
    readFirstCancelled: witness('reads the first session after its cancel'),
    readSecondAgain: probe('reads the second session after the first was cancelled'),
    cancelSecond: probe('cancels the second session'),
    // Where the bodies so far have nothing to vary but their texts.
    createVaried: witness('creates a session with another text', { from: 'standard' }),
    createAtOnce: probe('creates a session while others are created', {
      times: { quick: 2, standard: 4, deep: 4 },
    }),
  }),
  ...untouchedSteps,
};

type Pair = SessionEvidence<keyof typeof steps>;

// The contract declares idempotency neither way, so equal creates may return one session, or the second session may
// replace the first. Only creates with different bodies must make two sessions.
const check: ActiveCheck = activeCheck({
  requirement: 'SESSION-5',
  title: 'Two creates make two sessions, and cancelling one leaves the other',
  applies: isCreateOperation,
  needs: () => ['scoped-key', 'valid-call'],
  steps,
  probe: (client) =>
    withSessions(client, async (sessions) => {
      const model = await sessions.create();
      await sessions.cancel(model, steps.cancelModel);
      const first = (await sessions.createWithOtherBody(steps.createFirst, 1)) ?? (await sessions.create());
      const alone = await sessions.read(first, steps.readFirstAlone);
      if (!hasStatus(alone, 200)) return;
      const second = await sessions.createAnother(steps.createSecond);
      if (second === undefined) return;
      await sessions.read(second, steps.readSecond);
      if (second === first) return;
      await sessions.read(first, steps.readFirst);
      const cancel = await sessions.cancel(first, steps.cancelFirst);
      if (!hasStatus(cancel, 200)) return;
      await sessions.readOnce(first, steps.readFirstCancelled);
      await sessions.read(second, steps.readSecondAgain);
      await sessions.cancel(second, steps.cancelSecond);
      const effect = effectOnSecond(sessions.evidence);
      if (effect !== undefined) await watchUntouchedSession(sessions, 'created');
      else await createAtOnce(client, sessions);
    }),
  evaluate: (evidence) => {
    const session: Pair = new SessionEvidence(evidence);
    const remedy = uniqueBodyRemedy(evidence.operation);
    const first = session.last('readFirstAlone');
    const second = session.last('readSecond');
    if (first === undefined) return inconclusive('no session was created');
    if (!hasStatus(first, 200)) return inconclusive('the session cannot be read, which SESSION-1 evaluates');
    const givenAgain = idGivenAgain(session);
    if (givenAgain !== undefined) return violatedOr([givenAgain], () => pass(''));
    if (second === undefined) return evaluateRefusedCreate(session, remedy);
    if (sessionIdOf(first) === sessionIdOf(second)) return evaluateSharedId(session, second, remedy);
    const cancel = session.last('cancelFirst');
    if (cancel === undefined) return inconclusive('no two sessions were created');
    if (isReplaced(session, cancel)) return evaluateReplacement(session, cancel, remedy);
    if (!hasStatus(cancel, 200))
      return inconclusive(`the cancel was answered ${describeAnswer(cancel)}, which SESSION-2 evaluates`);
    if ([first, second].some((read) => fieldsOf(read) === undefined || session.otherIdShownBy(read)))
      return inconclusive('the sessions cannot be read, which SESSION-1 evaluates');
    const shared = sharedAtOnce(session, first) ?? collidedAtOnce(session, first);
    return violatedOr(shared === undefined ? [] : [shared], () => evaluateEffect(session, remedy));
  },
});

export default check;

/** Creates sessions at once with two bodies, each of which has made a session of its own before. */
async function createAtOnce(client: CaseClient, sessions: SessionClient): Promise<void> {
  const model = sessions.firstCreate;
  const other = client.exchanges.find(({ step }) => step === steps.createFirst.step);
  const [modelBody, otherBody] = [model, other].map((one) => one && sentBody(one));
  if (model === undefined || modelBody === undefined) return;
  const create = client.withRole('creates-session');
  const texts = client.excludes('unknown-values', 'body', create) ? [] : varyTexts(model, backwards);
  const varied =
    hasStatus(other, 200) && otherBody !== undefined
      ? asSent(otherBody.text)
      : (await sessions.createWithOneOf(steps.createVaried, texts))?.body;
  if (varied === undefined) return;
  const bodies = Array.from({ length: client.times(steps.createAtOnce) }, (_, at) =>
    at % 2 === 0 ? asSent(modelBody.text) : varied,
  );
  // On connections that are open, as calls on fresh ones arrive further apart.
  await Promise.all(bodies.map((body) => sessions.createIn(steps.createAtOnce, { body })));
}

function asSent(text: string): RawBody {
  return { bytes: Buffer.from(text), contentType: 'application/json' };
}

function evaluateRefusedCreate(session: Pair, remedy: string): Evaluation {
  const refused = secondCreate(session);
  if (refused === undefined || !hasStatus(refused, 409))
    return notTested(`a second create was answered ${refused ? describeAnswer(refused) : 'nothing'}`);
  const reason = 'a second create is answered 409 while the first session is open, which conforms';
  return createsDiffer(session) ? { outcome: 'not-applicable', reason } : inconclusive(reason, remedy);
}

function evaluateSharedId(session: Pair, second: Exchange, remedy: string): Evaluation {
  return createsDiffer(session)
    ? violated(
        session,
        'Two different creates made one session',
        ['two ids', 'one id for both'],
        secondCreate(session) ?? second,
      )
    : inconclusive('two equal creates returned one session, which conforms', remedy);
}

function evaluateReplacement(session: Pair, cancel: Exchange, remedy: string): Evaluation {
  if (!createsDiffer(session))
    return notTested('the first session ended when an equal one was created, which conforms', remedy);
  if (secondNamesFirst(session))
    return inconclusive('the second session names the first, so it may replace it');
  const expected = '200 to a cancel of the first session';
  const difference = [expected, describeAnswer(cancel)] as const;
  return violated(session, 'Creating a session ended an earlier one', difference, cancel);
}

function evaluateEffect(session: Pair, remedy: string): Evaluation {
  const untouched = untouchedSessionOf(session);
  const effect = effectOnSecond(session, untouched?.volatilePointers);
  if (effect !== undefined && untouched?.disturbed !== undefined) {
    const reason = `the second session changed, but ${untouched.disturbed}`;
    return notTested(`${reason}, so something else may have changed it`, remedy);
  }
  if (effect !== undefined && untouched === undefined)
    return notTested('the second session changed, and no other session could be created to compare it with');
  return violatedOr(effect === undefined ? [] : [effect], () => {
    const left = session.last('cancelSecond');
    if (hasStatus(left, 200))
      return pass('two sessions with different ids, and cancelling one left the other');
    const answer = left === undefined ? 'not sent' : `answered ${describeAnswer(left)}`;
    return inconclusive(`the cancel of the second session was ${answer}`);
  });
}

function violated(
  session: Pair,
  statement: string,
  [expected, actual]: readonly [string, string],
  exchange: Exchange,
): Evaluation {
  return violatedOr([{ statement, expected, actual, exchange, steps: session.stepsTo(exchange) }], () =>
    pass(''),
  );
}
