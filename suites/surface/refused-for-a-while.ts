import { endOf, isBlockedInFront, isOk, startOf } from '../../harness/evidence/answer.ts';
import { identifyResponder } from '../../harness/evidence/identify-responder.ts';
import type { Exchange } from '../../harness/model/exchange.ts';

/**
 * Valid calls that were refused, though others with the same key were answered before, and others of `later` after; of
 * those that `isWrongForGood` accepts, whatever comes after.
 */
export function refusedForAWhile(
  own: readonly Exchange[],
  later: readonly Exchange[] = own,
  isWrongForGood: (refused: Exchange) => boolean = () => false,
): readonly Exchange[] {
  const isLike = (one: Exchange, refused: Exchange): boolean =>
    isOk(one) && one.request.credential.kind === refused.request.credential.kind;
  return own.filter(
    (refused) =>
      !isOk(refused) &&
      !isInFront(refused) &&
      own.some((one) => isLike(one, refused) && endOf(one) <= startOf(refused)) &&
      (isWrongForGood(refused) ||
        later.some((one) => isLike(one, refused) && endOf(refused) <= startOf(one))),
  );
}

/** Whether a firewall or a proxy wrote the refusal, which knows nothing of the call or its key. */
function isInFront(exchange: Exchange): boolean {
  const role = identifyResponder(exchange)?.responder.role;
  return isBlockedInFront(exchange) || (role !== undefined && role !== 'framework' && role !== 'server');
}
