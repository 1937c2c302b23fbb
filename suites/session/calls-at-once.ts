import { hasStatus } from '../../harness/evidence/answer.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { idInOneStep } from '../../harness/results/causes/cause-fixes.ts';
import { fieldsOf, isWrongCall, type SessionEvidence, sessionIdOf } from './session-evidence.ts';
import { idPointers, showsOf } from './session-fields.ts';
import { callOf, wayOf } from './walk.ts';

const clause = 'shared-id';

/** What creates show at once that they do not one after another, such as one id for creates that are not equal. */
export function wrongCreatesAtOnce(session: SessionEvidence): readonly Violation[] {
  const read = session.exchanges.find((one) => session.is('reads-session', one));
  const [pointer] = idPointers(session.createdFields(read) ?? new Map(), sessionIdOf(read) ?? '');
  if (pointer === undefined) return [];
  const idIn = (exchange: Exchange): unknown => fieldsOf(exchange)?.get(pointer);
  const atOnce = session.creates.filter((one) =>
    session.besides(one).some((other) => session.is('creates-session', other)),
  );
  const inTurn = session.creates.filter((one) => !atOnce.includes(one) && hasStatus(one, 200));
  /** What the body of each made alone, or one that differs only in what each call has of its own. */
  const alone = (like: Exchange): Exchange | undefined =>
    inTurn.find((one) => one.request.body?.text === like.request.body?.text) ??
    inTurn.find((one) => variedAs(one) === variedAs(like));
  const answered = atOnce.filter((one) => idIn(one) !== undefined);
  const haveOwnIds = new Set(answered.map(idIn)).size === answered.length;
  for (const [at, exchange] of answered.entries()) {
    for (const other of answered.slice(0, at)) {
      const [own, otherOwn] = [alone(exchange), alone(other)];
      if (own === undefined || otherOwn === undefined) continue;
      const more = { clause, exchange, steps: [other, exchange] };
      const isShared = idIn(exchange) === idIn(other) && idIn(own) !== idIn(otherOwn);
      if (isShared && showsOf(otherOwn, otherOwn, own))
        return [
          {
            statement: 'Two different creates at once got one session id',
            expected: 'an id of its own for each, as one after another',
            actual: '200, and the id that another create under way got',
            fix: idInOneStep,
            ...more,
          },
        ];
      if (haveOwnIds && (showsOf(exchange, otherOwn, own) || showsOf(other, own, otherOwn)))
        return [
          {
            statement: 'A create got the answer of another one under way',
            expected: '200 with what its own body asked for, as one after another',
            actual: '200 with what the body of another create asked for',
            fix: 'Keep the response to each create with its own request, not in a variable, batch or connection that creates share.',
            ...more,
          },
        ];
    }
  }
  return [];
}

/** How the body of a create in a walk differs from the valid one. */
function variedAs(create: Exchange): unknown {
  const call = callOf(create);
  return call && wayOf(call).varied;
}

/** Two cancels at once of which each shows what it alone has sent, though one after another the second is refused. */
export function cancelledTwice(session: SessionEvidence): readonly Violation[] {
  const cancels = session.exchanges.filter((one) => session.is('ends-session', one) && !isWrongCall(one));
  const inTurn = cancels.filter((one) => session.besides(one).length === 0);
  const areRefused =
    inTurn.some((one) => hasStatus(one, 404, 409) && !isFirst(session, one)) &&
    !inTurn.some((one) => hasStatus(one, 409) && isFirst(session, one));
  const pairs = areRefused
    ? cancels.flatMap((exchange) => session.besides(exchange).map((other) => [other, exchange] as const))
    : [];
  const steps = pairs.find(
    (pair) =>
      pair.every((one) => session.is('ends-session', one) && hasStatus(one, 200)) &&
      sessionIdOf(pair[0]) === sessionIdOf(pair[1]) &&
      showsOf(pair[0], pair[0], pair[1]) &&
      showsOf(pair[1], pair[1], pair[0]),
  );
  if (steps === undefined) return [];
  const violation = {
    statement: 'A session could be cancelled twice at once',
    expected: '200 to one cancel, and 404 or 409 to the other, as one after another',
    actual: '200, and its own reason, for each',
    clause: 'at-once',
    fix: 'Check and change the state in one step: a transaction that locks the row, or one conditional UPDATE whose row count decides between 200 and 409.',
    exchange: steps[1],
    steps,
  };
  return [violation];
}

/** Whether no cancel of the session came before. */
function isFirst(session: SessionEvidence, cancel: Exchange): boolean {
  return session.callsOn(sessionIdOf(cancel)).find((one) => session.is('ends-session', one)) === cancel;
}
