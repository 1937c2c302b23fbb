import type { CollectiveCheck } from '../../harness/checks/check.ts';
import { notApplicable, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { endOf, statusOf } from '../../harness/evidence/answer.ts';
import { identifyResponder } from '../../harness/evidence/identify-responder.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { refusedForAWhile } from './refused-for-a-while.ts';

export const check: CollectiveCheck = {
  kind: 'collective',
  requirement: 'AUTH-4',
  title: 'no valid call of the run is refused with 401 while its key is good, whichever check sent it',
  // A login may answer 401 to a return that another case has used up.
  applies: ({ auth, role }) => auth === 'api-key' && role !== 'consumes-login',
  dedupeKey: (exchange) => {
    const { kind } = exchange.request.credential;
    const status = statusOf(exchange);
    const isValid = exchange.role === 'control' || exchange.role === 'setup';
    if (!isValid || (kind !== 'scoped' && kind !== 'unscoped')) return undefined;
    return status === 200 || status === 401 ? `${exchange.operation} ${kind} ${status}` : undefined;
  },
  evaluate: ({ operation, exchanges }) => {
    const own = exchanges.filter((one) => one.operation === operation.id);
    const accepted = exchanges.filter((one) => statusOf(one) === 200);
    const wrong = own.filter(
      (refused) =>
        statusOf(refused) === 401 &&
        !isInFront(refused) &&
        own.some((one) => statusOf(one) === 200 && isSameKey(one, refused) && isBefore(one, refused)) &&
        // Otherwise the key may have expired, or been revoked.
        accepted.some((one) => isSameKey(one, refused) && isBefore(refused, one)),
    );
    if (own.length === 0) return notApplicable('no valid call with a key was answered 200 or 401');
    return violatedOr(wrong.slice(0, 1).map(refusedForAWhile), () =>
      pass('no valid call was refused with 401 while its key was good'),
    );
  },
};

function isSameKey(one: Exchange, other: Exchange): boolean {
  return one.request.credential.kind === other.request.credential.kind;
}

function isBefore(one: Exchange, other: Exchange): boolean {
  return endOf(one) <= Date.parse(other.startedAt);
}

/** Whether a firewall or proxy wrote the refusal, which knows nothing of keys. */
function isInFront(exchange: Exchange): boolean {
  const role = identifyResponder(exchange)?.responder.role;
  return role !== undefined && role !== 'framework' && role !== 'server';
}
