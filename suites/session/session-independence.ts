import {
  inconclusive,
  notApplicable,
  notTested,
  pass,
  unexpected,
  violated,
} from '../../harness/checks/outcomes.ts';
import { describeAnswer } from '../../harness/evidence/answer.ts';
import { changedLeaves, mentions } from '../../harness/evidence/json-leaves.ts';
import type { Evaluation, Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { countedIds, idInOneStep } from '../../harness/results/causes/cause-fixes.ts';
import { changedAsBy, changesOf } from './session-changes.ts';
import {
  fieldsOf,
  hasStatus,
  idPointers,
  type SessionEvidence,
  sessionIdOf,
  showsItsOwn,
  showsOf,
} from './session-evidence.ts';
import { unlessDisturbed } from './untouched-session.ts';

/** The evaluation where the second create made no session, or a session has the id of another one; undefined otherwise. */
export function evaluateSecond(session: SessionEvidence): Evaluation | undefined {
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
    return createsDiffer(session) ? notApplicable(reason) : inconclusive(reason, session.remedy);
  }
  if (sessionIdOf(second) !== alone) return undefined;
  if (!createsDiffer(session))
    return inconclusive('two equal creates returned one session, which conforms', session.remedy);
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
export function evaluateReplacement(session: SessionEvidence): Evaluation | undefined {
  const [before, after] = [session.fields('readFirstAlone'), session.fields('readFirst')];
  const cancel = session.last('cancelFirst');
  if (cancel === undefined || before === undefined || !hasStatus(cancel, 404, 409)) return undefined;
  const hasChanged = after !== undefined && changedLeaves(before, after).length > 0;
  if (session.wasThrottled(cancel) || !(hasChanged || session.answered('readFirst', 404))) return undefined;
  if (!createsDiffer(session))
    return notTested('the first session ended when an equal one was created, which conforms', session.remedy);
  const created = session.createdFields(session.last('readSecond'));
  if (created !== undefined && mentions(created, sessionIdOf(cancel) ?? ''))
    return inconclusive('the second session names the first, so it may replace it');
  const steps = session.stepsTo(cancel);
  const expected = '200 to a cancel of the first session';
  return violated(unexpected('Creating a session ended an earlier one', expected, cancel, { steps }));
}

/** The evaluation where the reads do not show the sessions. */
export function evaluateReads(session: SessionEvidence): Evaluation | undefined {
  const reads = [session.last('readFirstAlone'), session.last('readSecond')];
  const isUnclear = reads.some((read) => fieldsOf(read) === undefined || session.otherIdShownBy(read));
  return isUnclear ? inconclusive('the sessions cannot be read, which SESSION-1 evaluates') : undefined;
}

/** The evaluation of what cancelling the first session did to the second. */
export function evaluateEffect(session: SessionEvidence): Evaluation {
  const effects = (volatile?: ReadonlySet<string>): readonly Violation[] => effectOnSecond(session, volatile);
  return unlessDisturbed(session, 'the second session changed', effects, () => {
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
  volatilePointers?: ReadonlySet<string>,
): readonly Violation[] {
  const before = session.fields('readSecond');
  const read = session.last('readSecondAgain');
  if (before === undefined || read === undefined) return [];
  const violation = (expected: string, exchange: Exchange, actual?: string): readonly Violation[] => {
    const more = { steps: session.stepsTo(exchange), ...(actual === undefined ? {} : { actual }) };
    return [unexpected('Cancelling one session changed another', expected, exchange, more)];
  };
  if (hasStatus(read, 404)) return violation('200 to a read of the other session', read);
  const cancelled = changesOf(
    session.fields('readFirst'),
    session.fields('readFirstCancelled'),
    volatilePointers,
  );
  const [pointer] = [...changedAsBy(cancelled, changesOf(before, fieldsOf(read)))].sort();
  if (pointer !== undefined)
    return violation('200, and the other session as it was', read, `200, and ${pointer} as if cancelled`);
  const cancel = session.last('cancelSecond');
  return cancel !== undefined && hasStatus(cancel, 404, 409) && !session.wasThrottled(cancel)
    ? violation('200 to a cancel of the other session', cancel)
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

/** What creates under way at once show that does not show one after another. */
export function wrongAtOnce(session: SessionEvidence): readonly Violation[] {
  const read = session.last('readFirstAlone');
  const [pointer] = idPointers(session.createdFields(read) ?? new Map(), sessionIdOf(read) ?? '');
  if (pointer === undefined) return [];
  const idIn = (exchange: Exchange): unknown => fieldsOf(exchange)?.get(pointer);
  const found = sharedAtOnce(session, idIn) ?? swappedAtOnce(session, idIn) ?? collidedAtOnce(session, idIn);
  return found === undefined ? [] : [found];
}

/** A create that showed what another one under way had sent, in a session of its own. */
function swappedAtOnce(
  session: SessionEvidence,
  idIn: (exchange: Exchange) => unknown,
): Violation | undefined {
  const atOnce = session.all('createAtOnce').filter((one) => idIn(one) !== undefined);
  if (new Set(atOnce.map(idIn)).size < atOnce.length) return undefined;
  for (const exchange of atOnce) {
    const [alone] = createdInTurn(session, exchange);
    const other = atOnce.find((one) => {
      const [otherAlone] = createdInTurn(session, one);
      return alone !== undefined && otherAlone !== undefined && showsOf(exchange, alone, otherAlone);
    });
    if (other !== undefined)
      return {
        statement: 'A create got the answer of another one under way',
        expected: '200 with what its own body asked for, as one after another',
        actual: '200 with what the body of another create asked for',
        clause: 'shared-id',
        fix: 'Keep the answer of each create with its own request: in no variable, batch or connection that creates share.',
        exchange,
        steps: [other, exchange],
      };
  }
  return undefined;
}

/**
 * A create that was answered with the id of another under way, though their bodies had made sessions of their own, with
 * contents of their own, one after another. Equal creates may share a session, and so may creates that a target takes for equal.
 */
function sharedAtOnce(
  session: SessionEvidence,
  idIn: (exchange: Exchange) => unknown,
): Violation | undefined {
  const atOnce = session.all('createAtOnce').filter((one) => idIn(one) !== undefined);
  const shared = atOnce.flatMap((exchange, at) => {
    const other = atOnce.slice(0, at).find((one) => {
      const [alone, otherAlone] = [one, exchange].map((like) => createdInTurn(session, like)[0]);
      if (idIn(one) !== idIn(exchange) || alone === undefined || otherAlone === undefined) return false;
      return idIn(alone) !== idIn(otherAlone) && showsItsOwn(alone, otherAlone);
    });
    return other === undefined ? [] : [{ exchange, steps: [other, exchange] }];
  });
  const [found] = shared;
  return (
    found && {
      statement: 'Two different creates at once got one session id',
      expected: 'an id of its own for each, as one after another',
      actual: '200, and the id that another create under way got',
      clause: 'shared-id',
      fix: idInOneStep,
      ...found,
    }
  );
}

/** A create that crashed beside others, in a service whose ids follow one another; what a body of its kind made alone. */
function collidedAtOnce(
  session: SessionEvidence,
  idIn: (exchange: Exchange) => unknown,
): Violation | undefined {
  const isOwn = (one: Exchange): boolean => createdInTurn(session, one).length > 0;
  const exchange = session.all('createAtOnce').find((one) => hasStatus(one, 500) && isOwn(one));
  const ids = createdInTurn(session).map((one) => String(idIn(one)));
  if (exchange === undefined || !isCounted(ids)) return undefined;
  return {
    statement: 'Creates at once failed, and the ids of sessions are counted',
    detail: `created one after another, the sessions got the ids ${ids.join(', ')}`,
    expected: '200, as one after another',
    actual: describeAnswer(exchange),
    clause: 'shared-id',
    company: 'with other creates under way',
    kind: countedIds,
    exchange,
    steps: [exchange],
  };
}

/** The creates that made a session while no other was under way; with the body of one if it is given. */
function createdInTurn(session: SessionEvidence, like?: Exchange): readonly Exchange[] {
  const alone = session.exchanges.filter(
    (one) => session.is('creates-session', one) && one.step !== 'createAtOnce',
  );
  return alone.filter(
    (one) => hasStatus(one, 200) && (!like || one.request.body?.text === like.request.body?.text),
  );
}

/** Between two ids of a counter, as creates of other clients count as well; and milliseconds between two of a clock. */
const longestGap = 1_000n;

/** Whether ids differ in one number alone, which grows by little each time. */
function isCounted(ids: readonly string[]): boolean {
  const numbers = ids.map((id) => id.match(/\d+/g) ?? []);
  const [first = []] = numbers;
  const isAlike = new Set(ids.map((id) => id.replace(/\d+/g, '#'))).size === 1;
  const varying = first.flatMap((_one, at) =>
    new Set(numbers.map((those) => those[at])).size > 1 ? [at] : [],
  );
  const [place] = varying;
  if (ids.length < 3 || !isAlike || place === undefined || varying.length > 1) return false;
  const counted = numbers.map((those) => BigInt(those[place] ?? 0));
  return counted
    .slice(1)
    .map((number, at) => number - (counted[at] ?? 0n))
    .every((gap) => gap > 0n && gap <= longestGap);
}
