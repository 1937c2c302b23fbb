import { jsonFault } from '../../checks/json-fault.ts';
import { describeAnswer } from '../../evidence/answer.ts';
import type { Exchange } from '../../model/exchange.ts';
import { answerOf, isSteady, type Sighting, statusIn } from './sighting.ts';

/** Requirements that a valid call which fails violates, the most specific first: they tell best how it fails. */
const ofValidCall = ['SUCCESS-1', 'SURFACE-1', 'SUCCESS-2', 'STATUS-1', 'AUTH-4'];

/** Statuses that say that the service, or what it needs, is not there or has too much to do. */
const unavailable = [502, 503, 504];

/** Whether an exchange is the valid call of its operation without any change. */
export function isPlain({ role }: Exchange): boolean {
  return role === 'control' || role === 'setup';
}

/**
 * The finding of an operation whose valid call always fails, in place of a finding of the same response to another call:
 * whatever else that call holds has nothing to do with it. Undefined where the valid call does not fail in that way.
 */
export function plainFailureOf(sighting: Sighting, others: readonly Sighting[]): Sighting | undefined {
  if (!isOnStatus(sighting) && !isOnBody(sighting)) return undefined;
  const failure = failureOf(sighting);
  const isSame = (one: Sighting): boolean =>
    one.exchange.operation === one.operation && failureOf(one) === failure;
  if (!isSame(sighting)) return undefined;
  const plain = others.filter((other) => tellsOfValidCall(other) && isPlain(other.exchange) && isSame(other));
  // One that comes and goes explains nothing that another call shows each time.
  if (!plain.some((one) => one.requirement !== 'SUCCESS-1' && isSteady(one))) return undefined;
  const [first] = plain.sort((a, b) => rankOf(a) - rankOf(b));
  return first === sighting ? undefined : first;
}

/** Who is not available to valid calls is not to any other; of a crash, STATUS-1 does not say which calls it hits. */
function tellsOfValidCall(one: Sighting): boolean {
  return rankOf(one) >= 0 && (one.requirement !== 'STATUS-1' || unavailable.includes(statusIn(one)));
}

function rankOf({ requirement }: Sighting): number {
  return ofValidCall.indexOf(requirement);
}

/** Whether it objects to the status of the response, which is not 200, and not to what its body reveals. */
function isOnStatus(one: Sighting): boolean {
  return statusIn(one) !== 200 && !/^(?:HYGIENE|RATE|SURFACE-2)/.test(one.requirement);
}

/** Whether it objects to the body of a 200, and not to the 200 itself. */
function isOnBody(one: Sighting): boolean {
  const statuses = one.expected.match(/\b[1-5]\d\d\b/g) ?? ['200'];
  const isOfBodies = /^(?:CLIENT|SUCCESS-2)/.test(one.requirement);
  return statusIn(one) === 200 && statuses.includes('200') && isOfBodies;
}

/** Who answered how, as far as it decides whether two calls fail in one way. */
function failureOf(one: Sighting): string {
  if (statusIn(one) !== 200) return answerOf(one);
  return `${describeAnswer(one.exchange)} ${jsonFault(one.exchange) ?? ''}`;
}
