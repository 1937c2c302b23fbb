import type { CollectiveCheck } from '../../harness/checks/check.ts';
import { comparedAnswers } from '../../harness/checks/compared-answers.ts';
import { shapedAnswer } from '../../harness/checks/error-shape.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { isSafe } from '../../spec/operation.ts';
import { callOf, isRead, isWhole } from './differences.ts';

export const check: CollectiveCheck = comparedAnswers({
  requirement: 'SUCCESS-4',
  title: 'a 200 response is not null or empty where the same call was answered with members',
  applies: (operation) => isSafe(operation) && operation.responseSchema !== undefined,
  dedupeKey: (exchange) => {
    const isFull = hasMembers(exchange);
    return isFull === undefined ? undefined : `${callOf(exchange)} ${isFull}`;
  },
  look: (mine) => {
    const full = new Set(mine.filter(hasMembers).map(callOf));
    if (full.size === 0) return 'no 200 with a JSON object was seen';
    const hollow = (one: Exchange): boolean => hasMembers(one) === false && full.has(callOf(one));
    return mine.filter(hollow).map((exchange) => ({
      exchange,
      actual: `200 with ${exchange.response?.body.json === 'null' ? 'JSON null' : 'an object without members'}`,
    }));
  },
  statement: 'A 200 response holds nothing',
  expected: 'a result with members, as the same call had before or after',
  fix: 'Look for code that answers before there is a result: a cache guard, a timeout with a default, a failed lookup. Answer with the result or with an error status.',
  passes: 'each 200 has members where another one to the same call has some',
});

/** Whether a plain 200 is an object with members; undefined where it is neither that nor empty, as lists may become empty. */
function hasMembers(exchange: Exchange): boolean | undefined {
  if (!isRead(exchange) || !isWhole(exchange)) return undefined;
  const shaped = exchange.response?.body.json === 'null' ? { members: new Map() } : shapedAnswer(exchange);
  return shaped && shaped.members.size > 0;
}
