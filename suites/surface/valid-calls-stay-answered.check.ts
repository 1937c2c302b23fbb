import type { CollectiveCheck } from '../../harness/checks/check.ts';
import { notApplicable, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { describeAnswer, endOf, isBlockedInFront, statusOf } from '../../harness/evidence/answer.ts';
import { identifyResponder } from '../../harness/evidence/identify-responder.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { forAWhile } from '../../harness/results/causes/cause-fixes.ts';
import { sharedResource } from '../../spec/operation.ts';

/** Statuses that say of a call that it is wrong; those of a key, of a state and of load are matters of other checks. */
const refusals: ReadonlySet<number> = new Set([400, 403, 404, 405, 406, 411, 413, 414, 415, 422, 431]);

export const check: CollectiveCheck = {
  kind: 'collective',
  requirement: 'SURFACE-1',
  title: 'no valid call of the run is refused while others like it are answered, whichever check sent it',
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
  evaluate: ({ operation, exchanges }) => {
    const own = exchanges.filter((one) => one.operation === operation.id);
    const answered = own.filter((one) => statusOf(one) === 200);
    // A create may name a product that is sold out by then.
    const isOfState = (one: Exchange): boolean =>
      sharedResource(operation) === 'session' && statusOf(one) === 404;
    const wrong = own.filter(
      (one) =>
        !answered.includes(one) &&
        !isOfState(one) &&
        !isInFront(one) &&
        answered.some((other) => isAlike(one, other) && endOf(other) <= startOf(one)) &&
        answered.some((other) => isAlike(one, other) && endOf(one) <= startOf(other)),
    );
    if (answered.length === 0) return notApplicable('no valid call was answered with 200');
    return violatedOr(
      wrong.slice(0, 1).map((exchange) => ({
        statement: 'A valid call was refused for a while',
        expected: '200, as before and after',
        actual: `${describeAnswer(exchange)} for a while`,
        deviation: forAWhile,
        fix: 'Look for what the service remembers of earlier calls: a guard that counts refusals, a buffer or a context that calls share, an instance with other settings.',
        exchange,
      })),
      () => pass('no valid call was refused'),
    );
  },
};

function isAlike(one: Exchange, other: Exchange): boolean {
  return one.request.credential.kind === other.request.credential.kind;
}

function startOf({ startedAt }: Exchange): number {
  return Date.parse(startedAt);
}

/** Whether a firewall or a proxy wrote the refusal, which knows nothing of the call. */
function isInFront(exchange: Exchange): boolean {
  const role = identifyResponder(exchange)?.responder.role;
  return isBlockedInFront(exchange) || (role !== undefined && role !== 'framework' && role !== 'server');
}
