import { describeAnswer } from '../evidence/answer.ts';
import { valuesIn } from '../evidence/sent-values.ts';
import type { Violation } from '../model/evaluation.ts';
import type { Exchange } from '../model/exchange.ts';

const mostSteps = 16;
// A shorter value can occur in a response by chance.
const shortestIssued = 4;

/**
 * The exchanges that show a violation together, in order: those that its check names, or else the exchange that issued a
 * value, such as the id of a session, and all that used it. Empty where one exchange shows the violation alone.
 */
export function sequenceSteps(violation: Violation, exchanges: readonly Exchange[]): readonly Exchange[] {
  const { exchange, steps = stepsByValue(violation, exchanges) } = violation;
  if (steps.length < 2 || !steps.includes(exchange)) return [];
  return steps.length > mostSteps ? shortened(steps, violation) : steps;
}

/** The steps on the values of the violation, then those on other values while there is room: each value from its issue on. */
function shortened(steps: readonly Exchange[], violation: Violation): readonly Exchange[] {
  const different = steps.filter(
    (step, at) => step === violation.exchange || !isRepeated(step, steps[at + 1]),
  );
  const own = stepsByValue(violation, different);
  // The first issued the value; the last ones show the violation.
  let kept = new Set([violation.exchange, ...own.slice(0, 1), ...own.slice(1 - mostSteps)]);
  for (const exchange of different.toReversed()) {
    if (kept.size >= mostSteps) break;
    const more = new Set([...kept, ...stepsByValue({ ...violation, exchange }, different)]);
    if (more.size <= mostSteps) kept = more;
  }
  return different.filter((step) => kept.has(step));
}

/** Of equal reads in a row, the last waited longest. */
function isRepeated({ label, request }: Exchange, next: Exchange | undefined): boolean {
  return request.method === 'GET' && label === next?.label && request.path === next.request.path;
}

function stepsByValue({ exchange, actual }: Violation, exchanges: readonly Exchange[]): readonly Exchange[] {
  const end = exchanges.indexOf(exchange);
  const before = exchanges.slice(0, Math.max(0, end));
  const issued = issuedValues(exchange, before);
  const isStep = (one: Exchange): boolean =>
    one.role !== 'provocation' && issued.some((value) => issues(one, value) || uses(one, value));
  const steps = [...before, exchange].filter(isStep);
  // A later read shows something that the response itself does not.
  const isShown = actual === describeAnswer(exchange);
  return isShown ? steps : [...steps, ...laterReads(exchange, exchanges.slice(end + 1).filter(isStep))];
}

/** The exchanges up to the next call of the same operation; of consecutive equal calls the last, which waited longest. */
function laterReads({ operation }: Exchange, following: readonly Exchange[]): readonly Exchange[] {
  const next = following.findIndex((one) => one.operation === operation || one.role === 'cleanup');
  const reads = next < 0 ? following : following.slice(0, next);
  return reads.filter((read, at) => reads[at + 1]?.operation !== read.operation);
}

/** The values in a request that a response before it issued. */
export function issuedValues(exchange: Exchange, before: readonly Exchange[]): readonly string[] {
  const { values, body } = exchange.request;
  const inPath = Object.values(values).flatMap(({ value, source }) =>
    source === 'captured' || source === 'generated' ? [value] : [],
  );
  const inBody = [...(body?.text.matchAll(/[:[,]\s*"([^"\\\s]+)"(?!\s*:)/g) ?? [])].map(
    ([, text = '']) => text,
  );
  return [...new Set([...inPath, ...spelledIds(exchange), ...inBody])].filter((value) => {
    if (value.length < shortestIssued) return false;
    const at = before.findIndex((one) => issues(one, value));
    return at >= 0 && !before.slice(0, at).some((one) => uses(one, value));
  });
}

/** Ids that the path spells otherwise than they were issued, such as in capitals. */
function spelledIds(exchange: Exchange): readonly string[] {
  return valuesIn(exchange, 'session');
}

function uses(exchange: Exchange, value: string): boolean {
  const { values, body } = exchange.request;
  const inPath = [...Object.values(values).map((used) => used.value), ...spelledIds(exchange)];
  return inPath.includes(value) || body?.text.includes(`"${value}"`) === true;
}

/** Whether a response issues a value; one that answers a request with the value, or with a text around it, only repeats it. */
export function issues(exchange: Exchange, value: string): boolean {
  const { request, response } = exchange;
  const isRepeated = uses(exchange, value) || `${request.path} ${request.body?.text}`.includes(value);
  return response?.status === 200 && !isRepeated && response.body.text.includes(value);
}
