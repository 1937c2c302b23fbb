import { describeAnswer } from '../../harness/evidence/answer.ts';
import { changedLeaves, mentions } from '../../harness/evidence/json-leaves.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { countedIds, idInOneStep } from '../../harness/results/cause-fixes.ts';
import { cancelDiff, matchesCancelDiff } from './cancel-diff.ts';
import type { SessionEvidence } from './session-evidence.ts';
import { fieldsOf, hasStatus, idPointers, sessionIdOf, showsItsOwn } from './session-exchange.ts';

type Evidence = SessionEvidence<
  | 'cancelModel'
  | 'createFirst'
  | 'readFirstAlone'
  | 'readSecond'
  | 'readFirst'
  | 'cancelFirst'
  | 'readFirstCancelled'
  | 'readSecondAgain'
  | 'cancelSecond'
  | 'createAtOnce'
>;

/** The create of the second session; undefined where there is none. */
export function secondCreate(session: Evidence): Exchange | undefined {
  const { exchanges } = session;
  const readFirst = exchanges.findIndex(({ step }) => step === 'readFirstAlone');
  const readSecond = exchanges.findIndex(({ step }) => step === 'readSecond');
  return exchanges
    .slice(Math.max(0, readFirst), readSecond < 0 ? exchanges.length : readSecond)
    .findLast((one) => session.isCreate(one));
}

/** Whether the creates of the two sessions had different bodies. */
export function createsDiffer(session: Evidence): boolean {
  const { exchanges } = session;
  const readFirst = exchanges.findIndex(({ step }) => step === 'readFirstAlone');
  const first = exchanges.slice(0, readFirst).findLast((one) => session.isCreate(one))?.request.body?.text;
  const second = secondCreate(session)?.request.body?.text;
  return first !== undefined && second !== undefined && first !== second;
}

/** A session with the id of a cancelled one, though another body made it; undefined where there is none. */
export function idGivenAgain(session: Evidence): Violation | undefined {
  const cancelled = session.last('cancelModel');
  const exchange = session.last('createFirst');
  if (exchange === undefined || !hasStatus(exchange, 200) || !hasStatus(cancelled, 200)) return undefined;
  if (sessionIdOf(cancelled) !== sessionIdOf(session.last('readFirstAlone'))) return undefined;
  return {
    statement: 'A new session got the id of a cancelled one',
    expected: 'an id of its own',
    actual: 'the id of a session that another body made and a call cancelled',
    exchange,
    steps: session.stepsTo(exchange),
  };
}

/** Whether the create of the second session ended the first: it changed, and a cancel of it is refused. */
export function isReplaced(session: Evidence, cancel: Exchange): boolean {
  const before = fieldsOf(session.last('readFirstAlone'));
  const read = session.last('readFirst');
  const after = fieldsOf(read);
  if (before === undefined || !hasStatus(cancel, 404, 409) || session.wasThrottled(cancel)) return false;
  return hasStatus(read, 404) || (after !== undefined && changedLeaves(before, after).length > 0);
}

/**
 * A create that was answered with the id of another under way, though their bodies had made sessions of their own, with
 * contents of their own, one after another. Equal creates may share a session, and so may creates that a target takes for equal.
 */
export function sharedAtOnce(session: Evidence, read: Exchange): Violation | undefined {
  const created = session.createdFields(read);
  const pointer = created && idPointers(created, sessionIdOf(read) ?? '')[0];
  if (pointer === undefined) return undefined;
  const idIn = (exchange: Exchange | undefined): unknown => fieldsOf(exchange)?.get(pointer);
  const atOnce = session.all('createAtOnce').filter((one) => idIn(one) !== undefined);
  for (const one of atOnce)
    for (const other of atOnce.slice(atOnce.indexOf(one) + 1)) {
      const [alone, otherAlone] = [one, other].map((like) => createdInTurn(session, like)[0]);
      if (idIn(one) !== idIn(other) || alone === undefined || otherAlone === undefined) continue;
      if (idIn(alone) === idIn(otherAlone) || !showsItsOwn(alone, otherAlone)) continue;
      return {
        statement: 'Two different creates at once got one session id',
        expected: 'an id of its own for each, as one after another',
        actual: '200, and the id that another create under way got',
        clause: 'shared-id',
        fix: idInOneStep,
        exchange: other,
        steps: [one, other],
      };
    }
  return undefined;
}

/** A create that crashed beside others, in a service whose ids follow one another; what a body of its kind made alone. */
export function collidedAtOnce(session: Evidence, read: Exchange): Violation | undefined {
  const created = session.createdFields(read);
  const pointer = created && idPointers(created, sessionIdOf(read) ?? '')[0];
  const exchange = session
    .all('createAtOnce')
    .find((one) => hasStatus(one, 500) && createdInTurn(session, one).length > 0);
  if (pointer === undefined || exchange === undefined) return undefined;
  const ids = createdInTurn(session).map((one) => String(fieldsOf(one)?.get(pointer)));
  if (!isCounted(ids)) return undefined;
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
function createdInTurn(session: Evidence, like?: Exchange): readonly Exchange[] {
  return session.exchanges.filter(
    (one) =>
      session.isCreate(one) &&
      one.step !== 'createAtOnce' &&
      hasStatus(one, 200) &&
      (like === undefined || one.request.body?.text === like.request.body?.text),
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

/** Whether the create of the second session names the first one, which suggests that it replaces it. */
export function secondNamesFirst(session: Evidence): boolean {
  const created = session.createdFields(session.last('readSecond'));
  return created !== undefined && mentions(created, sessionIdOf(session.last('readFirstAlone')) ?? '');
}

/** The effect that cancelling the first session had on the second; undefined where there is none. */
export function effectOnSecond(
  session: Evidence,
  volatilePointers: ReadonlySet<string> = new Set(),
): Violation | undefined {
  const before = fieldsOf(session.last('readSecond'));
  const read = session.last('readSecondAgain');
  if (before === undefined || read === undefined) return undefined;
  const violation = (expected: string, actual: string, exchange: Exchange): Violation => ({
    statement: 'Cancelling one session changed another',
    expected,
    actual,
    exchange,
    steps: session.stepsTo(exchange),
  });
  if (hasStatus(read, 404)) return violation('200 to a read of the other session', '404', read);
  const after = fieldsOf(read);
  const diff = cancelDiff(fieldsOf(session.last('readFirst')), fieldsOf(session.last('readFirstCancelled')));
  const changed = after === undefined ? [] : matchesCancelDiff(diff, before, after, volatilePointers);
  if (changed.length > 0) {
    const [pointer] = [...changed].sort();
    return violation('200, and the other session as it was', `200, and ${pointer} as if cancelled`, read);
  }
  const cancel = session.last('cancelSecond');
  return cancel !== undefined && hasStatus(cancel, 404, 409) && !session.wasThrottled(cancel)
    ? violation('200 to a cancel of the other session', describeAnswer(cancel), cancel)
    : undefined;
}
