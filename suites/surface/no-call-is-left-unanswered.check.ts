import type { CollectiveCheck } from '../../harness/checks/check.ts';
import { comparedAnswers } from '../../harness/checks/compared-answers.ts';
import { isOk } from '../../harness/evidence/answer.ts';
import { isSafe } from '../../spec/operation.ts';
import { callOf, isWhole } from '../success/differences.ts';

/** Calls without an answer before they are told: one may be due to something between harness and target. */
const fewest = 2;

export const check: CollectiveCheck = comparedAnswers({
  requirement: 'SURFACE-1',
  title: 'no plain read is left without an answer while equal ones get one',
  applies: isSafe,
  // Not of one operation alone: what hangs now and then may do so anywhere.
  dedupeKey: (exchange) => {
    // What else hangs has a reason in the call, which its own check looks for.
    if (exchange.request.method !== 'GET' || !isWhole(exchange) || exchange.row !== undefined)
      return undefined;
    if (exchange.failure?.kind === 'timeout') return exchange.id;
    return isOk(exchange) ? callOf(exchange) : undefined;
  },
  look: (mine, { exchanges }) => {
    if (!mine.some(isOk)) return 'no plain read was answered with 200';
    const answered = new Set(exchanges.filter(isOk).map(callOf));
    const unanswered = exchanges.filter((one) => one.failure !== undefined && answered.has(callOf(one)));
    if (unanswered.length < fewest) return [];
    const actual = `${unanswered.length} calls without an answer in time`;
    return mine.filter((one) => unanswered.includes(one)).map((exchange) => ({ exchange, actual }));
  },
  statement: 'A valid call was left without an answer',
  clause: 'unanswered',
  expected: 'an answer to each call',
  fix: 'Look at what the service or its proxy waited for at that time: a pool or a queue without room, a lock, a database or a service behind it that did not answer. Give each of these a time-out.',
  passes: 'each plain read got an answer in time',
});
