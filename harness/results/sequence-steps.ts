import { describeAnswer } from '../evidence/answer.ts';
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
  // The first issued the value; the last ones show the violation.
  return steps.length > mostSteps ? [...steps.slice(0, 1), ...steps.slice(1 - mostSteps)] : steps;
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
  const inBody = [...(body?.text.matchAll(/[:[,]\s*"([^"\\]+)"(?!\s*:)/g) ?? [])].map(
    ([, text = '']) => text,
  );
  return [...new Set([...inPath, ...inBody])].filter((value) => {
    if (value.length < shortestIssued) return false;
    const at = before.findIndex((one) => issues(one, value));
    return at >= 0 && !before.slice(0, at).some((one) => uses(one, value));
  });
}

function uses({ request }: Exchange, value: string): boolean {
  const inPath = Object.values(request.values).some((used) => used.value === value);
  return inPath || request.body?.text.includes(`"${value}"`) === true;
}

/** Whether a response issues a value; one that answers a request with the value, or with a text around it, only repeats it. */
function issues({ request, response }: Exchange, value: string): boolean {
  const isRepeated = `${request.path} ${request.body?.text}`.includes(value);
  return response?.status === 200 && !isRepeated && response.body.text.includes(value);
}
