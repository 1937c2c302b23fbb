import type { ActiveCheck } from '../../harness/checks/check.ts';
import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { isConflict } from '../../harness/checks/steady-control.ts';
import { describeAnswer, statusOf } from '../../harness/evidence/answer.ts';
import { documentedStatuses } from '../../harness/evidence/coverage-ledger.ts';
import { showSegment, tokensOf } from '../../harness/fuzzing/path-segment.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Operation } from '../../spec/contract.ts';
import { isAllowedAnswer, mayBeElsewhere } from './path-answers.ts';
import { causeOf, isExplainedBy } from './path-value-cause.ts';
import { pathValues } from './path-values.ts';
import { againLabel, elsewhereLabel, labelOf, probePathValues } from './probe-path-values.ts';

const product = exampleOperation({ id: 'getPublicProduct', auth: 'none', pathParameters: ['slug'] });
const cancel = exampleOperation({
  id: 'cancelHostedCheckoutSession',
  method: 'POST',
  pathParameters: ['sessionId'],
});
const known = { value: 'linen-shirt', source: 'target-file' as const };
const control = exampleExchange({ role: 'control', status: 200, values: { slug: known } });
const cancelControl = exampleExchange({ role: 'control', status: 200, values: { sessionId: known } });

const check: ActiveCheck = {
  kind: 'active',
  last: true,
  requirement: 'RESOURCE-2',
  title: 'whatever string stands in a path parameter, the answer is 200, 400 or 404',
  applies: ({ pathParameters }) => pathParameters.length > 0,
  needs: () => ['valid-call'],
  requests: ({ pathParameters }) => 1 + pathValues.length * pathParameters.length,
  randomInputs: ({ pathParameters }, fuzzRuns) => fuzzRuns * pathParameters.length,
  probe: probePathValues,
  evaluate: ({ operation, exchanges, omittedCount = 0 }) => {
    const known = exchanges.findLast(({ role }) => role === 'control');
    const isControlled = known !== undefined && statusOf(known) === 200;
    const sent = sentValues(operation, exchanges, known);
    const probed = sent.filter(({ exchange }) => exchange.role === 'probe');
    if (probed.length === 0) return inconclusive('no call with a chosen value was made');
    const wrong = sent.filter((value) => isWrong(operation, value, exchanges));
    const standing = wrong.filter((value) =>
      isControlled
        ? isOfTheValue(value, wrong, exchanges)
        : !documentedStatuses.includes(statusOf(value.exchange) ?? 200),
    );
    return violatedOr(violationsOf(standing), () => {
      if (known === undefined) return inconclusive('no call with known values could be made');
      if (!isControlled) {
        const reason = `the call with known values was answered ${describeAnswer(known)}`;
        const isPassing = operation.pathParameters.includes('sessionId') && isConflict(known);
        return { outcome: 'inconclusive', reason, transient: isPassing };
      }
      const [first] = wrong;
      if (first === undefined)
        return pass(
          `answered 200, 400 or 404 for ${probed.length + omittedCount} values that are no plain identifiers`,
        );
      return {
        outcome: 'inconclusive',
        reason: `after the value ${showSegment(first.raw)} was answered ${describeAnswer(first.exchange)}, so was the valid call`,
        remedy: 'let the address of the harness through whatever guards the target',
        transient: true,
      };
    });
  },
  examples: [
    { name: '404', given: { operation: product, exchanges: [control, odd('nul', 404)] }, says: 'pass' },
    {
      name: '400, and 200 for another spelling of the known value',
      given: { operation: product, exchanges: [control, odd('nul', 400), odd('other-case', 200)] },
      says: 'pass',
    },
    {
      name: '500, and the valid call is still answered',
      given: { operation: product, exchanges: [control, odd('nul', 500), again(500, 200)] },
      says: 'violated',
    },
    {
      name: 'no answer each time, and none to the valid call until some time later',
      given: {
        operation: product,
        exchanges: [
          control,
          odd('nul', undefined),
          again(undefined, undefined),
          again(undefined, 200),
          odd('nul', undefined),
        ],
      },
      says: 'violated',
    },
    {
      name: 'no answer while the target was out, and 404 later',
      given: {
        operation: product,
        exchanges: [
          control,
          odd('nul', undefined),
          again(undefined, undefined),
          again(undefined, 200),
          odd('nul', 404),
        ],
      },
      says: 'pass',
    },
    {
      name: 'no answer any more',
      given: { operation: product, exchanges: [control, odd('nul', undefined), again(undefined, undefined)] },
      says: 'inconclusive',
    },
    {
      name: '500 to everything from the value on',
      given: { operation: product, exchanges: [control, odd('nul', 500), again(500, 500)] },
      says: 'violated',
    },
    {
      name: 'a redirect to the normal form',
      given: { operation: product, exchanges: [control, odd('dot-segment', 301), again(301, 200)] },
      says: 'violated',
    },
    {
      name: '403 from a guard in front',
      given: { operation: product, exchanges: [control, odd('sql', 403), again(403, 200)] },
      says: 'violated',
    },
    {
      name: '403 from a guard that then shuts out the harness altogether',
      given: { operation: product, exchanges: [control, odd('sql', 403), again(403, 403)] },
      says: 'inconclusive',
    },
    {
      name: 'an encoded slash leads to no route, which is answered 401',
      given: {
        operation: product,
        exchanges: [control, odd('encoded-slash', 401), elsewhere(401), again(401, 200)],
      },
      says: 'pass',
    },
    {
      name: 'a path to a file is forbidden, another unknown route is not',
      given: {
        operation: product,
        exchanges: [control, odd('traversal', 403), elsewhere(404), again(403, 200)],
      },
      says: 'violated',
    },
    {
      name: '409 to a cancel of the known session in another spelling',
      given: { operation: cancel, exchanges: [cancelControl, odd('nul', 409, 'sessionId')] },
      says: 'pass',
    },
    {
      name: '409 to a cancel of nothing that is known',
      given: {
        operation: cancel,
        exchanges: [cancelControl, odd('zero', 409, 'sessionId'), again(409, 200)],
      },
      says: 'violated',
    },
    {
      name: 'a random value breaks it, and so does a smaller one',
      given: {
        operation: product,
        exchanges: [
          control,
          unusualValue('slug: random value', 'a%20b%C3%A4', 500),
          again(500, 200),
          { ...unusualValue('slug: smaller value', '%C3%A4', 500), role: 'reduction' },
        ],
      },
      says: 'violated',
    },
    {
      name: 'what is no path by the grammar is refused before it comes to the operation',
      given: { operation: product, exchanges: [control, odd('malformed', 405), odd('empty', 301)] },
      says: 'pass',
    },
    {
      name: 'what is no path by the grammar breaks the target',
      given: { operation: product, exchanges: [control, odd('malformed', 500), again(500, 200)] },
      says: 'violated',
    },
    {
      name: '500 where no valid call is known',
      given: { operation: product, exchanges: [odd('nul', 500)] },
      says: 'violated',
    },
    {
      name: '401 where no valid call is known',
      given: { operation: product, exchanges: [odd('nul', 401)] },
      says: 'inconclusive',
    },
    {
      name: '404 for the known values too',
      given: {
        operation: product,
        exchanges: [exampleExchange({ role: 'control', status: 404 }), odd('nul', 404)],
      },
      says: 'inconclusive',
    },
  ],
};

export default check;

/** A value that was sent, with what it was answered. */
interface SentValue {
  readonly name: string;
  /** As it went out. */
  readonly raw: string;
  readonly known: string;
  readonly exchange: Exchange;
}

/** Of a value that was sent twice, the second time; all from the exchanges alone, as evidence that is judged again holds nothing else. */
function sentValues(
  operation: Operation,
  exchanges: readonly Exchange[],
  control: Exchange | undefined,
): readonly SentValue[] {
  const sent = new Map<string, SentValue>();
  for (const exchange of exchanges) {
    if (exchange.role !== 'probe' && exchange.role !== 'reduction') continue;
    const name = operation.pathParameters.find((one) => exchange.label.startsWith(labelOf(one, '')));
    const raw = name && exchange.request.values[name]?.value;
    if (name === undefined || raw === undefined) continue;
    const known = encodeURIComponent(control?.request.values[name]?.value ?? '');
    sent.set(`${exchange.label}\n${raw}`, { name, raw, known, exchange });
  }
  return [...sent.values()];
}

/**
 * Wrong, unless the value led to where nothing is published and everything there is answered so: routing an encoded
 * slash as a slash is lawful, and so is refusing strangers on routes that the contract does not speak of.
 */
function isWrong(
  operation: Operation,
  { name, raw, known, exchange }: SentValue,
  exchanges: readonly Exchange[],
): boolean {
  if (isAllowedAnswer(operation, raw, known, exchange)) return false;
  if (!mayBeElsewhere(raw, exchange)) return true;
  const unknownRoute = exchanges.find(({ label }) => label === elsewhereLabel(name));
  return unknownRoute === undefined || statusOf(unknownRoute) !== statusOf(exchange);
}

/** Violations that one case reports at the most. */
const mostViolations = 5;

/** One violation for each cause, shown by the smallest value that was answered so. */
function violationsOf(standing: readonly SentValue[]): readonly Violation[] {
  const violations = new Map<string, Violation>();
  let left = [...standing].sort((a, b) => tokensOf(a.raw).length - tokensOf(b.raw).length);
  for (let first = left[0]; first !== undefined; first = left[0]) {
    const { name, raw, exchange } = first;
    const answer = describeAnswer(exchange);
    const isSimilar = (other: SentValue): boolean =>
      other.name === name && describeAnswer(other.exchange) === answer && isExplainedBy(other.raw, raw);
    const classes = new Set(left.filter(isSimilar).flatMap((other) => classOf(other)));
    const statement = `any ${name} is answered (${causeOf(raw)})`;
    const violation: Violation = {
      statement,
      expected: '200, 400 or 404',
      actual: answer,
      exchange,
      detail: `the smallest seen is ${showSegment(raw)}${classes.size > 1 ? `; so were ${[...classes].slice(0, 6).join(', ')}` : ''}`,
    };
    const before = violations.get(`${statement}\n${answer}`);
    if (before === undefined) violations.set(`${statement}\n${answer}`, violation);
    left = left.filter((other) => other !== first && !isSimilar(other));
  }
  return [...violations.values()].slice(0, mostViolations);
}

/** The class of the corpus that the value is of; none for random and smaller ones. */
function classOf({ name, exchange }: SentValue): readonly string[] {
  return pathValues.filter(({ what }) => labelOf(name, what) === exchange.label).map(({ what }) => what);
}

/**
 * Whether it is the value that was answered so, and not any call by then. A target that answers nothing any more may have
 * gone for any reason; one that goes on with 5xx after the value was the first to get it has broken down over it.
 */
function isOfTheValue(
  { exchange }: SentValue,
  wrong: readonly SentValue[],
  exchanges: readonly Exchange[],
): boolean {
  const answer = describeAnswer(exchange);
  const witnesses = exchanges.filter(({ label }) => label === againLabel(answer));
  if (witnesses.some((witness) => statusOf(witness) === 200)) return true;
  const first = wrong.find((one) => describeAnswer(one.exchange) === answer);
  return witnesses.length > 0 && first?.exchange === exchange && (statusOf(exchange) ?? 0) >= 500;
}

function odd(name: string, status: number | undefined, parameter = 'slug'): Exchange {
  const value = pathValues.find((one) => one.class === name);
  if (value === undefined) throw new Error(`there is no class ${name}`);
  return unusualValue(labelOf(parameter, value.what), value.raw('linen-shirt'), status, parameter);
}

function unusualValue(label: string, raw: string, status: number | undefined, parameter = 'slug'): Exchange {
  const values = { [parameter]: { value: raw, source: 'generated' as const } };
  return exampleExchange(
    status === undefined ? { label, values, failure: 'reset' } : { label, values, status },
  );
}

function again(answer: number | undefined, status: number | undefined): Exchange {
  const label = againLabel(answer === undefined ? 'no answer (reset)' : String(answer));
  return exampleExchange(
    status === undefined
      ? { role: 'witness', label, failure: 'refused' }
      : { role: 'witness', label, status },
  );
}

function elsewhere(status: number): Exchange {
  return exampleExchange({ role: 'witness', label: elsewhereLabel('slug'), status });
}
