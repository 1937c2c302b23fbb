import { describeAnswer } from '../../harness/evidence/answer.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { countedIds, idInOneStep } from '../../harness/results/cause-fixes.ts';
import type { SessionEvidence } from './session-evidence.ts';
import { fieldsOf, hasStatus, idPointers, sessionIdOf, showsItsOwn } from './session-exchange.ts';

/** What creates under way at once show that does not show one after another. */
export function wrongAtOnce(session: SessionEvidence): readonly Violation[] {
  const read = session.last('readFirstAlone');
  const [pointer] = idPointers(session.createdFields(read) ?? new Map(), sessionIdOf(read) ?? '');
  if (pointer === undefined) return [];
  const idIn = (exchange: Exchange): unknown => fieldsOf(exchange)?.get(pointer);
  return [sharedAtOnce(session, idIn) ?? collidedAtOnce(session, idIn)].filter((one) => one !== undefined);
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
