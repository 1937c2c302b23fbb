import type { CollectiveCheck } from '../../harness/checks/check.ts';
import { comparedAnswers } from '../../harness/checks/compared-answers.ts';
import { describeAnswer, hasStatus, isOk, statusOf } from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { forAWhile } from '../../harness/results/causes/cause-fixes.ts';
import { isSafe, sharedResource } from '../../spec/operation.ts';
import { refusedForAWhile } from './refused-for-a-while.ts';

/** Statuses that say of a call that it is wrong; those of a key, of a state and of load are matters of other checks. */
const refusals: ReadonlySet<number> = new Set([400, 403, 404, 405, 406, 411, 413, 414, 415, 422, 431]);

export const check: CollectiveCheck = comparedAnswers({
  requirement: 'SURFACE-1',
  title:
    'no valid call of the run is refused while others like it are answered, regardless of the check that sent it',
  // What another call issued may have been used up, or have ended.
  applies: ({ takesIssued, role }) => takesIssued === undefined && role !== 'consumes-login',
  dedupeKey: (exchange) => {
    const { role, step = 'valid', row, operation, request } = exchange;
    const status = statusOf(exchange) ?? 0;
    // The set-up of a story may vary the body, and a service refuse it then.
    const isVaried = request.body !== undefined && step !== 'valid';
    const isPlain = (role === 'control' || role === 'setup') && row === undefined && !isVaried;
    if (!isPlain || (status !== 200 && !refusals.has(status))) return undefined;
    return `${operation} ${request.credential.kind} ${status}`;
  },
  look: (own, { operation }) => {
    // A create may name a product that is sold out by then.
    const isOfSession = sharedResource(operation) === 'session';
    // A resource may go, and a client be banned; but what was a right request stays one.
    const isWrongForGood = (one: Exchange): boolean => isSafe(operation) && !hasStatus(one, 403, 404);
    const wrong = refusedForAWhile(own, own, isWrongForGood).filter(
      (one) => !isOfSession || statusOf(one) !== 404,
    );
    if (own.every((one) => !isOk(one))) return 'no valid call was answered with 200';
    return wrong.map((exchange) => ({ exchange, actual: `${describeAnswer(exchange)} for a while` }));
  },
  statement: 'A valid call was refused for a while',
  expected: '200, as at other times',
  deviation: forAWhile,
  fix: 'Look for state that outlives a call: a guard that counts refusals, a buffer, context or cache that calls share, or an instance with other settings.',
  passes: 'no valid call was refused',
});
