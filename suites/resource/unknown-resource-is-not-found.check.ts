import { activeCheck } from '../../harness/checks/active-check.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { control, namedSteps, probe } from '../../harness/checks/step.ts';
import { describeAnswer, statusOf } from '../../harness/evidence/answer.ts';
import { sentValues } from '../../harness/evidence/sent-values.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { hasOpenShape, isPlainSlug, unknownLike } from '../../harness/requests/mutate-preserving-shape.ts';
import type { Operation } from '../../spec/operation.ts';

/** Unknown ids for each parameter: one alone may happen to be malformed, or to exist. */
const idsPerParameter = 3;

const steps = namedSteps({
  valid: control('valid call with known values'),
  unknown: probe('unknown value', { most: ({ pathParameters }) => idsPerParameter * pathParameters.length }),
});

const check: ActiveCheck = activeCheck({
  requirement: 'RESOURCE-1',
  title: 'an unknown resource gets 404',
  applies: ({ pathParameters }) => pathParameters.length > 0,
  needs: () => ['valid-call'],
  steps,
  probe: async (client, operation) => {
    const values = sentValues(await client.call(steps.valid));
    for (const name of operation.pathParameters) {
      const random = client.random(name);
      for (let at = 1; at <= idsPerParameter; at += 1) {
        const label = `unknown ${name} ${at}`;
        const parameters = { ...values, [name]: unknownLike(values[name] ?? '', random) };
        await client.call(steps.unknown, { label, parameters });
      }
    }
  },
  evaluate: ({ operation, steps: { valid, unknown } }) => {
    const [known] = valid;
    if (known === undefined || unknown.length === 0)
      return inconclusive('no call with an unknown value was sent');
    if (statusOf(known) !== 200)
      return inconclusive(`the call with known values was answered ${describeAnswer(known)} as well`);
    const violations: Violation[] = [];
    let untested = 0;
    for (const name of operation.pathParameters) {
      const mine = unknown.filter((exchange) => sentValue(exchange, name) !== sentValue(known, name));
      const [first] = mine;
      const wrong = mine.find((exchange) => ![400, 404].includes(statusOf(exchange) ?? 0));
      if (wrong !== undefined) violations.push(violation(operation, name, wrong));
      else if (mine.some((exchange) => statusOf(exchange) === 404)) continue;
      // A malformed id may get 400; it is wrong only where every id of this shape is well-formed.
      else if (first !== undefined && isWellFormed(known, first, name))
        violations.push(violation(operation, name, first));
      else untested += 1;
    }
    return violatedOr(violations, () =>
      untested > 0
        ? inconclusive('every unknown id was answered 400, which is allowed where it is malformed')
        : pass(`404 for what does not exist, in ${unknown.length} calls`),
    );
  },
});

export default check;

function sentValue({ request }: Exchange, name: string): string {
  return request.values[name]?.value ?? '';
}

/** Whether an id is certainly well-formed: it has an open shape and the length of the known one, as ids may have a length or range. */
function isWellFormed(known: Exchange, unknown: Exchange, name: string): boolean {
  const model = sentValue(known, name);
  if (model.length !== sentValue(unknown, name).length || !hasOpenShape(model)) return false;
  // The service may sign the ids that it issues itself, also in lower-case letters.
  return name !== 'sessionId' || !isPlainSlug(model);
}

function violation(operation: Operation, name: string, exchange: Exchange): Violation {
  return {
    statement: `An unknown ${name} was not answered 404`,
    expected: '404',
    actual: describeAnswer(exchange),
    exchange,
    ...(isBelowStore(operation) ? { clause: 'below-unknown-store' } : {}),
  };
}

/** Collections and settings may be empty or default for a store that does not exist. */
function isBelowStore(operation: Operation): boolean {
  const [parameter] = operation.pathParameters;
  if (operation.auth !== 'none' || operation.pathParameters.length !== 1 || parameter === undefined)
    return false;
  const after = operation.path.slice(operation.path.indexOf(`{${parameter}}`) + parameter.length + 2);
  return after !== '' || operation.path.includes('/storefront-decorations/');
}
