import { describeAnswer, parseBody, statusOf } from '../../harness/evidence/answer.ts';
import type { Leaf, Leaves } from '../../harness/evidence/json-leaves.ts';
import { leavesOf } from '../../harness/evidence/json-leaves.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';

/** The session id in the path of a read or cancel. */
export function sessionIdOf(exchange: Exchange | undefined): string | undefined {
  return exchange?.request.values['sessionId']?.value;
}

/** The fields of the session in a 200 response; undefined for other statuses and for bodies that are not JSON. */
export function fieldsOf(exchange: Exchange | undefined): Leaves | undefined {
  return hasStatus(exchange, 200) ? bodyFields(exchange) : undefined;
}

/** The fields of a JSON body, whatever the status. */
export function bodyFields(exchange: Exchange | undefined): Leaves | undefined {
  const body = parseBody(exchange?.response?.body);
  return body === undefined ? undefined : leavesOf(body);
}

/** Whether a complete response with one of these statuses arrived. */
export function hasStatus(exchange: Exchange | undefined, ...statuses: readonly number[]): boolean {
  const status = exchange && statusOf(exchange);
  return status !== undefined && statuses.includes(status);
}

/** JSON pointers at which the response to a create shows the id of the session. */
export function idPointers(created: Leaves, id: string): readonly string[] {
  return [...created].filter(([, leaf]) => leaf !== null && String(leaf) === id).map(([pointer]) => pointer);
}

/** Whether a value can be an id like the given one: a secret id is masked or omitted after the create. */
export function looksLikeId(leaf: Leaf | undefined, id: string): boolean {
  const value = String(leaf ?? '');
  return value.length === id.length && !/[*•…]|(.)\1{3}/u.test(value);
}

/** Whether a response shows something of its own request that the other does not. */
export function showsItsOwn(one: Exchange, other: Exchange): boolean {
  const [sent, otherSent] = [one, other].map(({ request }) => leavesOf(parseBody(request.body)));
  const [shown, otherShown] = [one, other].map(bodyFields);
  return [...(sent ?? [])].some(
    ([pointer, leaf]) =>
      leaf !== otherSent?.get(pointer) &&
      shown !== undefined &&
      otherShown !== undefined &&
      [...shown].some(([at, value]) => value === leaf && otherShown.get(at) !== leaf),
  );
}

/** The violation that a response shows by its status alone. */
export function unexpected(statement: string, expected: string, exchange: Exchange): Violation {
  return { statement, expected, actual: describeAnswer(exchange), exchange };
}
