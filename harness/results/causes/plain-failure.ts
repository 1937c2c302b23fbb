import { jsonFault } from '../../checks/json-fault.ts';
import { describeAnswer } from '../../evidence/answer.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Finding } from '../../model/report.ts';
import type { Sighting } from './root-cause-defect.ts';

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
  const answer = answerOf(sighting.finding);
  const isSame = ({ finding, result }: Sighting): boolean =>
    finding.exchange.operation === result.operation && answerOf(finding) === answer;
  if (!isSame(sighting)) return undefined;
  const plain = others.filter(
    (other) => tellsOfValidCall(other) && isPlain(other.finding.exchange) && isSame(other),
  );
  // One that comes and goes explains nothing that another call shows each time.
  if (!plain.some(({ finding, result }) => result.requirement !== 'SUCCESS-1' && isCertain(finding)))
    return undefined;
  const [first] = plain.sort((a, b) => rankOf(a) - rankOf(b));
  return first === sighting ? undefined : first;
}

/** Who is not available to valid calls is not to any other; of a crash, STATUS-1 does not say which calls it hits. */
function tellsOfValidCall({ result, finding }: Sighting): boolean {
  const status = finding.exchange.response?.status ?? 0;
  return (
    ofValidCall.includes(result.requirement) &&
    (result.requirement !== 'STATUS-1' || unavailable.includes(status))
  );
}

function rankOf({ result }: Sighting): number {
  return ofValidCall.indexOf(result.requirement);
}

function isCertain({ seen }: Finding): boolean {
  return seen.times === seen.of;
}

/** Whether it objects to the status of the response, which is not 200, and not to what its body reveals. */
function isOnStatus({ finding: { exchange }, result }: Sighting): boolean {
  return exchange.response?.status !== 200 && !/^(?:HYGIENE|RATE|SURFACE-2)/.test(result.requirement);
}

/** Whether it objects to the body of a 200, and not to the 200 itself. */
function isOnBody({ finding: { exchange, expected }, result }: Sighting): boolean {
  const statuses = expected.match(/\b[1-5]\d\d\b/g) ?? ['200'];
  return (
    exchange.response?.status === 200 &&
    statuses.includes('200') &&
    /^(?:CLIENT|SUCCESS-2)/.test(result.requirement)
  );
}

/** Who answered how, as far as it decides whether two calls fail in one way. */
function answerOf({ exchange, answeredBy }: Finding): string {
  const form = exchange.response?.status === 200 ? jsonFault(exchange) : answeredBy?.name;
  return `${describeAnswer(exchange)} ${form ?? ''}`;
}
