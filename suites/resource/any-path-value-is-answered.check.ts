import { setTimeout as wait } from 'node:timers/promises';
import type { Caller } from '../../harness/calling/caller.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { condenseFailures } from '../../harness/checks/condense-failures.ts';
import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/judgement.ts';
import { isConflict, steadyControl } from '../../harness/checks/steady-control.ts';
import { describeAnswer, statusOf } from '../../harness/recording/answer.ts';
import { documentedStatuses } from '../../harness/recording/coverage-ledger.ts';
import type { Exchange } from '../../harness/recording/exchange.ts';
import type { Operation } from '../../spec/contract.ts';
import { type PathValue, pathValues } from './path-values.ts';

const product = exampleOperation({ id: 'getPublicProduct', auth: 'none', pathParameters: ['slug'] });
const cancel = exampleOperation({
  id: 'cancelHostedCheckoutSession',
  method: 'POST',
  pathParameters: ['sessionId'],
});
const control = exampleExchange({ role: 'control', status: 200 });

/** Values without any answer after which the rest of a parameter is left: each may take the whole time-out. */
const silencesEndured = 3;
/** Milliseconds between the calls by which a target that broke down is seen to recover. */
const recoveryMs = 700;

const check: ActiveCheck = {
  kind: 'active',
  last: true,
  requirement: 'RESOURCE-2',
  title: 'whatever string stands in a path parameter, the answer is 200, 400 or 404',
  applies: ({ pathParameters }) => pathParameters.length > 0,
  needs: () => ['valid-call'],
  requests: ({ pathParameters }) => 1 + pathValues.length * pathParameters.length,
  probe: async (caller, operation) => {
    const { exchange, missing } = await steadyControl(caller, operation, {
      label: 'valid call with known values',
    });
    for (const name of operation.pathParameters) {
      if (!(await probeParameter(caller, operation, name, exchange))) break;
    }
    if (missing !== undefined) throw missing;
  },
  judge: ({ operation, exchanges }) => {
    const known = exchanges.findLast(({ role }) => role === 'control');
    const isControlled = known !== undefined && statusOf(known) === 200;
    const sent = sentValues(operation, exchanges);
    if (sent.length === 0) return inconclusive('no call with a chosen value was made');
    const wrong = sent.filter((value) => isWrong(operation, value, exchanges));
    const standing = wrong.filter((value) =>
      isControlled
        ? isOfTheValue(value, wrong, exchanges)
        : !documentedStatuses.includes(statusOf(value.exchange) ?? 200),
    );
    const failures = standing.map(({ name, value, exchange }) => ({
      what: value.what,
      statement: `any ${name} is answered`,
      exchange,
    }));
    return violatedOr(condenseFailures(failures, { expected: '200, 400 or 404' }), () => {
      if (known === undefined) return inconclusive('no call with known values could be made');
      if (!isControlled) {
        const reason = `the call with known values was answered ${describeAnswer(known)}`;
        const isPassing = operation.pathParameters.includes('sessionId') && isConflict(known);
        return { outcome: 'inconclusive', reason, transient: isPassing };
      }
      const [first] = wrong;
      if (first === undefined)
        return pass(`answered 200, 400 or 404 for ${sent.length} values that are no plain identifiers`);
      return {
        outcome: 'inconclusive',
        reason: `after the value ${first.value.class} was answered ${describeAnswer(first.exchange)}, so was the valid call`,
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
      given: { operation: cancel, exchanges: [control, odd('nul', 409, 'sessionId')] },
      says: 'pass',
    },
    {
      name: '409 to a cancel of nothing that is known',
      given: { operation: cancel, exchanges: [control, odd('zero', 409, 'sessionId'), again(409, 200)] },
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
  readonly value: PathValue;
  readonly exchange: Exchange;
}

function labelOf(name: string, value: PathValue): string {
  return `${name}: ${value.what}`;
}

function againLabel(answer: string): string {
  return `valid call after the answer ${answer}`;
}

function elsewhereLabel(name: string): string {
  return `${name}: known value and one more segment`;
}

/** Sends all values of one parameter; false where the target does not answer the valid call any more. */
async function probeParameter(
  caller: Caller,
  operation: Operation,
  name: string,
  control: Exchange | undefined,
): Promise<boolean> {
  const used = control?.request.values ?? {};
  const others = Object.fromEntries(Object.entries(used).map(([other, { value }]) => [other, value]));
  const known = encodeURIComponent(used[name]?.value ?? 'conformance');
  const call = (role: 'probe' | 'witness', label: string, raw: string): Promise<Exchange> =>
    caller.call({ role, label, parameters: others, rawParameters: { [name]: raw }, placeholders: true });
  let silences = 0;
  for (const value of pathValues) {
    const raw = value.raw(known);
    if (raw === known || caller.leavesOut(value.class, name)) continue;
    const exchange = await call('probe', labelOf(name, value), raw);
    if (control === undefined || statusOf(control) !== 200 || isLawful(operation, value, exchange)) continue;
    if (mayBeElsewhere(value, exchange) && !has(caller, elsewhereLabel(name))) {
      await call('witness', elsewhereLabel(name), `${known}/${known}`);
    }
    const label = againLabel(describeAnswer(exchange));
    if (!has(caller, label)) {
      const tries = await triesUntilAnswered(caller, label);
      if (tries === undefined) return false;
      // The target was out for a while: whether over this value, a second time will show.
      if (tries > 1) await call('probe', labelOf(name, value), raw);
    }
    if (statusOf(exchange) === undefined) silences += 1;
    if (silences === silencesEndured) break;
  }
  return true;
}

/** How often the valid call had to be made until it was answered 200 again; undefined where it was not. */
async function triesUntilAnswered(caller: Caller, label: string): Promise<number | undefined> {
  for (let tries = 1; tries <= 4; tries += 1) {
    if (statusOf(await caller.call({ role: 'witness', label })) === 200) return tries;
    await wait(recoveryMs);
  }
  return undefined;
}

function has(caller: Caller, label: string): boolean {
  return caller.exchanges.some((exchange) => exchange.label === label);
}

/** Matched by label, as evidence that is judged again holds nothing else; of a value that was sent twice, the second time. */
function sentValues(operation: Operation, exchanges: readonly Exchange[]): readonly SentValue[] {
  const probes = new Map(
    exchanges.filter(({ role }) => role === 'probe').map((probe) => [probe.label, probe] as const),
  );
  return operation.pathParameters.flatMap((name) =>
    pathValues.flatMap((value) => {
      const exchange = probes.get(labelOf(name, value));
      return exchange === undefined ? [] : [{ name, value, exchange }];
    }),
  );
}

function isLawful(operation: Operation, value: PathValue, exchange: Exchange): boolean {
  const status = statusOf(exchange);
  if (status === 409) return operation.id === 'cancelHostedCheckoutSession' && value.ofKnown;
  return status === 200 || status === 400 || status === 404;
}

/**
 * Wrong, unless the value led to where nothing is published and everything there is answered so: routing an encoded
 * slash as a slash is lawful, and so is refusing strangers on routes that the contract does not speak of.
 */
function isWrong(
  operation: Operation,
  { name, value, exchange }: SentValue,
  exchanges: readonly Exchange[],
): boolean {
  if (isLawful(operation, value, exchange)) return false;
  if (!mayBeElsewhere(value, exchange)) return true;
  const unknownRoute = exchanges.find(({ label }) => label === elsewhereLabel(name));
  return unknownRoute === undefined || statusOf(unknownRoute) !== statusOf(exchange);
}

function mayBeElsewhere(value: PathValue, exchange: Exchange): boolean {
  return value.isStructural && [401, 403].includes(statusOf(exchange) ?? 0);
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
  const label = value === undefined ? '' : labelOf(parameter, value);
  return exampleExchange(status === undefined ? { label, failure: 'reset' } : { label, status });
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
