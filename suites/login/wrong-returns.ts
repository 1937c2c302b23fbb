import { isDeepStrictEqual } from 'node:util';
import { unexpected } from '../../harness/checks/outcomes.ts';
import { hasStatus, isOk, parseBody } from '../../harness/evidence/answer.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';

type Step =
  | 'again'
  | 'afterPause'
  | 'afterAnother'
  | 'asAnotherClient'
  | 'atOnce'
  | 'stranger'
  | 'afterStranger'
  | 'untouched';

/** Logins that must be used up by a stranger: another case may have consumed the first before it was given out again. */
export const strangers = 2;

/** The statuses with which a login return may be refused: besides a wrong request, the login itself may have failed. */
export const refusals: readonly number[] = [400, 401, 403, 404, 409];
/** The same in words. */
export const anyRefusal = 'one of 400, 401, 403, 404 and 409';

const another = '200 with another body';

const consumedAtOnce = {
  statement: 'A login return could be consumed twice at once',
  expected: `${anyRefusal} for one of the two, or the same answer for both`,
  actual: another,
  clause: 'at-once',
  fix: 'Look up the login and mark it as consumed in one step, before exchanging its code: a transaction that locks the row, or one conditional UPDATE whose row count decides between 200 and 409.',
};

const usedByStranger = {
  none: {
    statement: 'A call without credentials used up a login',
    headline: 'A call without a key used up a hosted login return',
    fix: 'Check the key before looking up the return or marking it as consumed.',
  },
  invalid: {
    statement: 'A call with an unknown key used up a login',
    headline: 'An unknown key used up a hosted login return',
    fix: 'Check the key before looking up the return or marking it as consumed.',
  },
  unscoped: {
    statement: 'A call with a key without the scope used up a login',
    headline: 'A key without the scope used up a hosted login return',
    fix: 'Check the scope before looking up the return or marking it as consumed.',
  },
};

const acceptedTwice = {
  statement: 'A login return could be consumed twice',
  headline: 'A hosted login return was accepted twice',
  actual: another,
};

const notRefused = {
  statement: 'A repeated login return got an unexpected response',
  headline: 'A repeated hosted login return is not refused with a declared error',
};

/** The calls that consumed a return, or used it up, in spite of another. */
export function wrongReturns(
  steps: Readonly<Record<Step, readonly Exchange[]>>,
  first: Exchange,
): readonly Violation[] {
  const repeated = [...steps.again, ...steps.afterPause, ...steps.afterAnother, ...steps.asAnotherClient];
  const again = wronglyRepeated(first, repeated);
  const atOnce = steps.atOnce.flatMap((exchange, at) => {
    const pair = steps.atOnce.filter(({ request }) => request.body?.text === exchange.request.body?.text);
    const before = pair.filter((one) => steps.atOnce.indexOf(one) < at);
    const isSecond = isOk(exchange) && before.some((one) => isOk(one) && !isRepeated(one, exchange));
    return isSecond ? [{ ...consumedAtOnce, exchange, steps: pair }] : [];
  });
  const last = steps.stranger.at(-1)?.request.credential.kind ?? 'none';
  const relatedExchanges = steps.stranger.filter(({ request }) => request.credential.kind === last);
  const areConsumed =
    relatedExchanges.length === strangers &&
    steps.untouched.slice(-strangers).filter(isOk).length === strangers;
  const usedUp = steps.afterStranger.slice(-1).filter((exchange) => areConsumed && isRefused(exchange));
  const used = usedByStranger[last === 'scoped' ? 'none' : last];
  return [
    ...again,
    ...atOnce,
    ...usedUp.map((exchange) =>
      unexpected(used.statement, '200 to the same return with the key', exchange, {
        ...used,
        relatedExchanges,
      }),
    ),
  ];
}

/** The calls that consumed a return again, or were not refused with a declared error. */
export function wronglyRepeated(first: Exchange, again: readonly Exchange[]): readonly Violation[] {
  return again
    .filter((exchange) => !isRefused(exchange) && !isRepeated(first, exchange))
    .map((exchange) => {
      const defect = isOk(exchange) ? acceptedTwice : notRefused;
      const expected = `${anyRefusal}, or the first answer unchanged for a short time`;
      return unexpected(defect.statement, expected, exchange, defect);
    });
}

/** Whether the first answer came again, regardless of the order of its members. */
export function isRepeated(first: Exchange, again: Exchange): boolean {
  if (!isOk(again)) return false;
  const [one, two] = [first, again].map(({ response }) => response?.body);
  const shown = parseBody(one);
  return one?.text === two?.text || (shown !== undefined && isDeepStrictEqual(shown, parseBody(two)));
}

/** Whether a call was refused for its credential: without a key with 401, without the scope with 403. */
export function isOfStranger(exchange: Exchange): boolean {
  return hasStatus(exchange, exchange.request.credential.kind === 'unscoped' ? 403 : 401);
}

/** Whether a return was refused as it may be. */
export function isRefused(exchange: Exchange): boolean {
  return hasStatus(exchange, ...refusals);
}
