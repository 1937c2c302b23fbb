import { inconclusive, notApplicable, notTested, pass, violated } from '../../harness/checks/outcomes.ts';
import { describeAnswer } from '../../harness/evidence/answer.ts';
import { changedLeaves, mentions } from '../../harness/evidence/json-leaves.ts';
import type { Evaluation, Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Operation } from '../../spec/operation.ts';
import { cancelDiff, matchesCancelDiff } from './cancel-diff.ts';
import type { SessionEvidence } from './session-evidence.ts';
import { fieldsOf, hasStatus, sessionIdOf } from './session-exchange.ts';
import { unlessDisturbed } from './untouched-session.ts';

/** The evaluation where the second create made no session, or a session has the id of another one; undefined otherwise. */
export function evaluateSecond(session: SessionEvidence, remedy: string): Evaluation | undefined {
  const [first, created] = [session.last('createFirst'), creates(session)[1]];
  const alone = sessionIdOf(session.last('readFirstAlone'));
  const isGivenAgain = session.answered('cancelModel', 200) && session.answered('createFirst', 200);
  if (isGivenAgain && first !== undefined && sessionIdOf(session.last('cancelModel')) === alone)
    return violated({
      statement: 'A new session got the id of a cancelled one',
      expected: 'an id of its own',
      actual: 'the id of a session that another body made and a call cancelled',
      exchange: first,
      steps: session.stepsTo(first),
    });
  const second = session.last('readSecond');
  if (second === undefined) {
    if (created === undefined || !hasStatus(created, 409))
      return notTested(`a second create was answered ${created ? describeAnswer(created) : 'nothing'}`);
    const reason = 'a second create is answered 409 while the first session is open, which conforms';
    return createsDiffer(session) ? notApplicable(reason) : inconclusive(reason, remedy);
  }
  if (sessionIdOf(second) !== alone) return undefined;
  if (!createsDiffer(session))
    return inconclusive('two equal creates returned one session, which conforms', remedy);
  const exchange = created ?? second;
  return violated({
    statement: 'Two different creates made one session',
    expected: 'two ids',
    actual: 'one id for both',
    exchange,
    steps: session.stepsTo(exchange),
  });
}

/** The evaluation where the create of the second session ended the first: it changed, and a cancel of it is refused. */
export function evaluateReplacement(session: SessionEvidence, remedy: string): Evaluation | undefined {
  const before = session.fields('readFirstAlone');
  const after = session.fields('readFirst');
  const cancel = session.last('cancelFirst');
  if (cancel === undefined || before === undefined || !hasStatus(cancel, 404, 409)) return undefined;
  const hasChanged = after !== undefined && changedLeaves(before, after).length > 0;
  if (session.wasThrottled(cancel) || !(hasChanged || session.answered('readFirst', 404))) return undefined;
  if (!createsDiffer(session))
    return notTested('the first session ended when an equal one was created, which conforms', remedy);
  const created = session.createdFields(session.last('readSecond'));
  if (created !== undefined && mentions(created, sessionIdOf(cancel) ?? ''))
    return inconclusive('the second session names the first, so it may replace it');
  return violated({
    statement: 'Creating a session ended an earlier one',
    expected: '200 to a cancel of the first session',
    actual: describeAnswer(cancel),
    exchange: cancel,
    steps: session.stepsTo(cancel),
  });
}

/** The evaluation where the reads do not show the sessions. */
export function evaluateReads(session: SessionEvidence): Evaluation | undefined {
  const reads = [session.last('readFirstAlone'), session.last('readSecond')];
  const isUnclear = reads.some((read) => fieldsOf(read) === undefined || session.otherIdShownBy(read));
  return isUnclear ? inconclusive('the sessions cannot be read, which SESSION-1 evaluates') : undefined;
}

/** The evaluation of what cancelling the first session did to the second. */
export function evaluateEffect(session: SessionEvidence, operation: Operation): Evaluation {
  const what = 'the second session changed';
  const effects = (volatilePointers?: ReadonlySet<string>): readonly Violation[] =>
    effectOnSecond(session, volatilePointers);
  return unlessDisturbed(session, what, operation, effects, () => {
    const left = session.last('cancelSecond');
    if (hasStatus(left, 200))
      return pass('two sessions with different ids, and cancelling one left the other');
    const answer = left === undefined ? 'not sent' : `answered ${describeAnswer(left)}`;
    return inconclusive(`the cancel of the second session was ${answer}`);
  });
}

/** The effect that cancelling the first session had on the second. */
export function effectOnSecond(
  session: SessionEvidence,
  volatilePointers: ReadonlySet<string> = new Set(),
): readonly Violation[] {
  const before = session.fields('readSecond');
  const read = session.last('readSecondAgain');
  if (before === undefined || read === undefined) return [];
  const violation = (expected: string, actual: string, exchange: Exchange): readonly Violation[] => {
    const statement = 'Cancelling one session changed another';
    return [{ statement, expected, actual, exchange, steps: session.stepsTo(exchange) }];
  };
  if (hasStatus(read, 404)) return violation('200 to a read of the other session', '404', read);
  const after = fieldsOf(read);
  const diff = cancelDiff(session.fields('readFirst'), session.fields('readFirstCancelled'));
  const changed = after === undefined ? [] : matchesCancelDiff(diff, before, after, volatilePointers);
  if (changed.length > 0) {
    const [pointer] = [...changed].sort();
    return violation('200, and the other session as it was', `200, and ${pointer} as if cancelled`, read);
  }
  const cancel = session.last('cancelSecond');
  return cancel !== undefined && hasStatus(cancel, 404, 409) && !session.wasThrottled(cancel)
    ? violation('200 to a cancel of the other session', describeAnswer(cancel), cancel)
    : [];
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
