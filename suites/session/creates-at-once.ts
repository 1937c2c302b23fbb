import { describeAnswer } from '../../harness/evidence/answer.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { countedIds, idInOneStep } from '../../harness/results/causes/cause-fixes.ts';
import { fieldsOf, hasStatus, type SessionEvidence, sessionIdOf } from './session-evidence.ts';
import { idPointers, showsItsOwn, showsOf } from './session-fields.ts';

/** A create under way beside others, and the one with an equal body that made a session alone. */
interface Meeting {
  readonly exchange: Exchange;
  readonly id: unknown;
  readonly alone: Exchange;
}

const clause = 'shared-id';

/**
 * What creates under way at once show that does not show one after another. Equal creates may share a session, and so may
 * creates that a target takes for equal.
 */
export function wrongAtOnce(session: SessionEvidence): readonly Violation[] {
  const read = session.last('readFirstAlone');
  const [pointer] = idPointers(session.createdFields(read) ?? new Map(), sessionIdOf(read) ?? '');
  if (pointer === undefined) return [];
  const idIn = (exchange: Exchange): unknown => fieldsOf(exchange)?.get(pointer);
  const inTurn = session.creates.filter((one) => one.step !== 'createAtOnce' && hasStatus(one, 200));
  const meetings = session.of('createAtOnce').flatMap((exchange): readonly Meeting[] => {
    const alone = inTurn.find((one) => one.request.body?.text === exchange.request.body?.text);
    return alone === undefined ? [] : [{ exchange, id: idIn(exchange), alone }];
  });
  const answered = meetings.filter(({ id }) => id !== undefined);
  const pairs = answered.flatMap((one) => answered.map((other) => [one, other] as const));
  const isShared = ([one, other]: readonly [Meeting, Meeting]): boolean =>
    one.id === other.id && idIn(one.alone) !== idIn(other.alone) && showsItsOwn(other.alone, one.alone);
  const shared = pairs.find(
    (pair) => answered.indexOf(pair[0]) > answered.indexOf(pair[1]) && isShared(pair),
  );
  const haveOwnIds = new Set(answered.map(({ id }) => id)).size === answered.length;
  const swapped = haveOwnIds
    ? pairs.find(([one, other]) => showsOf(one.exchange, one.alone, other.alone))
    : undefined;
  const [exchange, steps] = [
    (shared ?? swapped)?.[0].exchange,
    (shared ?? swapped)?.map((one) => one.exchange),
  ];
  if (exchange === undefined || steps === undefined)
    return crashed(
      meetings,
      inTurn.map((one) => String(idIn(one))),
    );
  const more = { clause, exchange, steps: steps.toReversed() };
  return [
    shared !== undefined
      ? {
          statement: 'Two different creates at once got one session id',
          expected: 'an id of its own for each, as one after another',
          actual: '200, and the id that another create under way got',
          fix: idInOneStep,
          ...more,
        }
      : {
          statement: 'A create got the answer of another one under way',
          expected: '200 with what its own body asked for, as one after another',
          actual: '200 with what the body of another create asked for',
          fix: 'Keep the answer of each create with its own request: in no variable, batch or connection that creates share.',
          ...more,
        },
  ];
}

/** A create that crashed beside others, in a service whose ids follow one another; what a body of its kind made alone. */
function crashed(meetings: readonly Meeting[], ids: readonly string[]): readonly Violation[] {
  const exchange = meetings.find((one) => hasStatus(one.exchange, 500))?.exchange;
  if (exchange === undefined || !areCounted(ids)) return [];
  const violation = {
    statement: 'Creates at once failed, and the ids of sessions are counted',
    detail: `created one after another, the sessions got the ids ${ids.join(', ')}`,
    expected: '200, as one after another',
    actual: describeAnswer(exchange),
    clause,
    company: 'with other creates under way',
    kind: countedIds,
    exchange,
    steps: [exchange],
  };
  return [violation];
}

/** Between two ids of a counter, as creates of other clients count as well; and milliseconds between two of a clock. */
const longestGap = 1_000n;

/** Whether ids differ in one number alone, which grows by little each time. */
function areCounted(ids: readonly string[]): boolean {
  const numbers = ids.map((id) => id.match(/\d+/g) ?? []);
  const [first = []] = numbers;
  const isAlike = new Set(ids.map((id) => id.replace(/\d+/g, '#'))).size === 1;
  const varying = first.flatMap((_one, at) =>
    new Set(numbers.map((those) => those[at])).size > 1 ? [at] : [],
  );
  const [place] = varying;
  if (ids.length < 3 || !isAlike || place === undefined || varying.length > 1) return false;
  const counted = numbers.map((those) => BigInt(those[place] ?? 0));
  return counted.every((number, at) => {
    const gap = number - (counted[at - 1] ?? number - 1n);
    return gap > 0n && gap <= longestGap;
  });
}
