import { parseBody, statusOf } from '../../harness/evidence/answer.ts';
import { type Leaf, type Leaves, leavesOf, mentions } from '../../harness/evidence/json-leaves.ts';
import type { Exchange } from '../../harness/model/exchange.ts';

/** operationId of the create. */
export const createSession = 'createHostedCheckoutSession';
/** operationId of the read. */
export const readSession = 'getHostedCheckoutSession';
/** operationId of the cancel. */
export const cancelSession = 'cancelHostedCheckoutSession';

/** What makes equal creates differ, for a target that gives one session for them. */
export const uniqueRemedy =
  'bodies: { createHostedCheckoutSession: { …, <a field that tells creates apart>: "{unique}" } }';

/** The session that a read or cancel named in its path. */
export function sessionOf(exchange: Exchange): string | undefined {
  return exchange.request.values['sessionId']?.value;
}

/** What a 200 shows of its session; undefined for any other answer and where it is not JSON. */
export function shownBy(exchange: Exchange | undefined): Leaves | undefined {
  if (exchange === undefined || statusOf(exchange) !== 200) return undefined;
  const body = parseBody(exchange.response?.body);
  return body === undefined ? undefined : leavesOf(body);
}

/** The last of the exchanges with a label that was not throttled. */
export function lastOf(exchanges: readonly Exchange[], label: string): Exchange | undefined {
  return exchanges.findLast((exchange) => exchange.label === label && statusOf(exchange) !== 429);
}

/** What the create of a session answered: the last one before the session was first used. */
export function creationOf(exchanges: readonly Exchange[], id: string): Exchange | undefined {
  const used = exchanges.findIndex((exchange) => sessionOf(exchange) === id);
  const before = used < 0 ? exchanges : exchanges.slice(0, used);
  return before.findLast((exchange) => exchange.operation === createSession);
}

/** Pointers at which the answer to a create holds the session's id. */
export function idPointers(creation: Leaves, id: string): readonly string[] {
  return [...creation].filter(([, leaf]) => leaf !== null && String(leaf) === id).map(([pointer]) => pointer);
}

/** Whether a value could be another id: a token that is shown once only is masked, or left out, afterwards. */
export function looksLikeId(leaf: Leaf | undefined, id: string): boolean {
  const value = String(leaf ?? '');
  return value.length === id.length && !/[*•…]|(.)\1{3}/u.test(value);
}

/** Whether an answer that ought to be of a session holds another id where the create held the session's. */
export function isOfAnother(exchanges: readonly Exchange[], exchange: Exchange | undefined): boolean {
  const shown = shownBy(exchange);
  const id = exchange && sessionOf(exchange);
  if (shown === undefined || id === undefined || mentions(shown, id)) return false;
  const creation = shownByCreate(creationOf(exchanges, id));
  return (
    creation !== undefined && idPointers(creation, id).some((pointer) => looksLikeId(shown.get(pointer), id))
  );
}

/** What the answer to a create shows, be its status 200 or, wrongly, another of success. */
export function shownByCreate(exchange: Exchange | undefined): Leaves | undefined {
  const body = parseBody(exchange?.response?.body);
  return body === undefined ? undefined : leavesOf(body);
}

/**
 * Whether the body of a cancel asks for a captured session: that one was created for it, and is not the one in its path.
 * Such a cancel says nothing of the target.
 */
export function fillsAnotherSession(exchanges: readonly Exchange[], cancel: Exchange): boolean {
  const before = exchanges[exchanges.indexOf(cancel) - 1];
  const id = sessionOf(cancel);
  if (cancel.operation !== cancelSession || before?.operation !== createSession || id === undefined)
    return false;
  const created = shownByCreate(before);
  if (created === undefined) return false;
  // A number beyond 2^53 is rounded when it is read, so that its digits are not found again.
  const isRounded = [...created.values()].some(
    (leaf) => Number.isInteger(leaf) && !Number.isSafeInteger(leaf),
  );
  return !isRounded && !mentions(created, id);
}

/** The exchanges without cancels that say nothing, and without what was only cleaned up. */
export function relevantExchanges(exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.filter(
    (exchange) => exchange.role !== 'cleanup' && !fillsAnotherSession(exchanges, exchange),
  );
}

/** Whether a cancel was throttled before it was answered, so that nobody knows what the first try did. */
export function wasThrottled(exchanges: readonly Exchange[], cancel: Exchange): boolean {
  return exchanges.some(
    (exchange) =>
      exchange.operation === cancelSession &&
      sessionOf(exchange) === sessionOf(cancel) &&
      statusOf(exchange) === 429 &&
      exchanges.indexOf(exchange) < exchanges.indexOf(cancel),
  );
}
