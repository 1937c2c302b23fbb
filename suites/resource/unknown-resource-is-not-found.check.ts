import { activeCheck } from '../../harness/checks/active-check.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { control, namedSteps, probe, type Step } from '../../harness/checks/step.ts';
import { describeAnswer, isBlockedInFront, statusOf } from '../../harness/evidence/answer.ts';
import { sentValues } from '../../harness/evidence/sent-values.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { CallChanges } from '../../harness/requests/call-spec.ts';
import { shareOf } from '../../harness/requests/key-ring.ts';
import { unknownLike } from '../../harness/requests/mutate-preserving-shape.ts';
import { isSafe, type Operation } from '../../spec/operation.ts';
import { mostNearMisses, type NearMiss, nearMisses } from './near-misses.ts';
import { isExcludedValue } from './path-values.ts';
import { showsKnown } from './shows-known.ts';
import { isWellFormed, nearMissViolations, unknownValueViolation } from './unknown-resource-violations.ts';

function perParameter(count: number): (operation: Operation) => number {
  return ({ pathParameters }) => count * pathParameters.length;
}

const steps = namedSteps({
  valid: control('valid call with known values'),
  unknown: probe('unknown value', { from: 'standard', times: perParameter(2) }),
  nearMiss: probe('a value near to the known one', {
    times: {
      quick: perParameter(1),
      standard: perParameter(mostNearMisses),
      deep: perParameter(mostNearMisses),
    },
    expects: [400, 404],
  }),
});

/** Error bodies have to be readable for a client that accepts codings, prefers pages or reads another language, too. */
const asBrowser: CallChanges = {
  row: { accept: 'browser', 'accept-encoding': 'browser', 'accept-language': 'browser' },
  headers: {
    accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'accept-encoding': 'gzip, deflate, br',
    'accept-language': 'fr-FR,fr;q=0.9',
  },
};

const check: ActiveCheck = activeCheck({
  requirement: 'RESOURCE-1',
  title: 'an unknown resource gets 404',
  applies: ({ pathParameters }) => pathParameters.length > 0,
  needs: () => ['valid-call'],
  steps,
  probe: async (client, operation) => {
    // Of a session, only the calls of this case are compared with one another.
    const isOwn = operation.pathParameters.includes('sessionId');
    const values = sentValues(await client.call(steps.valid, { isOwn }));
    for (const name of operation.pathParameters) {
      const random = client.random(name);
      const send = (step: Step, id: string, value: string, changes: CallChanges): Promise<Exchange> =>
        client.call(step, {
          label: `${id}: ${name}`,
          parameters: { ...values, [name]: value },
          ...changes,
          row: { [name]: id, ...changes.row },
        });
      const misses = async (): Promise<readonly NearMiss[]> => {
        // The control of an operation that ends what it names has used up its value.
        const known = isSafe(operation)
          ? values[name]
          : String(await client.forRefusal(() => client.capture(name)));
        return nearMisses(known ?? '', random).filter(
          ({ value }) =>
            !isExcludedValue(client, name, encodeURIComponent(value), encodeURIComponent(known ?? '')),
        );
      };
      const isJoined = !client.plans(steps.unknown);
      if (isJoined) {
        // A near miss that is not found is an unknown value as well. Each operation takes another one.
        const [miss] = shareOf(await misses(), client.operations.indexOf(operation), 1);
        const exchange = miss && (await send(steps.nearMiss, miss.what, miss.value, asBrowser));
        if (exchange !== undefined && statusOf(exchange) === 404) continue;
      }
      const first = unknownLike(values[name] ?? '', random);
      await send(steps.unknown, 'unknown', first, { label: `unknown ${name}` });
      if (isJoined) continue;
      // What one look-up left behind may answer the next; where any good key will do, that of one without the scope.
      const { unscoped } = client.keys;
      const isForAll = operation.auth === 'api-key' && operation.scope === undefined;
      const changes = isForAll && unscoped ? { credential: unscoped, row: { credential: 'unscoped' } } : {};
      await send(steps.unknown, 'unknown', first, { label: `once more the unknown ${name}`, ...changes });
      for (const [at, { what, value }] of (await misses()).entries())
        await send(steps.nearMiss, what, value, at === 0 ? asBrowser : {});
    }
  },
  evaluate: ({ operation, steps: { valid, unknown, nearMiss } }) => {
    const [known] = valid;
    if (known === undefined || unknown.length + nearMiss.length === 0)
      return inconclusive('no call with an unknown value was sent');
    if (statusOf(known) !== 200)
      return inconclusive(`the call with known values was answered ${describeAnswer(known)} as well`);
    const violations: Violation[] = [];
    let untested = 0;
    for (const name of operation.pathParameters) {
      const mine = unknown.filter((exchange) => isOf(name, exchange));
      const [first] = mine;
      const near = nearMiss.filter((one) => isOf(name, one));
      if (first === undefined && near.some((one) => statusOf(one) === 404)) continue;
      const found = near.filter(
        (one) => first !== undefined && showsKnown(name, { known, wrong: one, unrelated: first }),
      );
      violations.push(...nearMissViolations(name, found));
      const wrong =
        mine.find((exchange) => ![400, 404].includes(statusOf(exchange) ?? 0)) ??
        near.find((one) => isRefusedOtherwise(name, one));
      if (wrong !== undefined) violations.push(unknownValueViolation(operation, name, wrong));
      else if (mine.some((exchange) => statusOf(exchange) === 404)) continue;
      // A malformed id may get 400; it is wrong only where every id of this shape is well-formed.
      else if (first !== undefined && isWellFormed(known, first, name))
        violations.push(unknownValueViolation(operation, name, first));
      else untested += 1;
    }
    return violatedOr(violations, () =>
      untested > 0
        ? inconclusive('every unknown id was answered 400, which is allowed where it is malformed')
        : pass(`404 for what does not exist, in ${unknown.length + nearMiss.length} calls`),
    );
  },
});

export default check;

/**
 * Whether the service refused a near miss for what has nothing to do with the value: a firewall may refuse an asterisk or an
 * accent, and no letters, digits and hyphens.
 */
function isRefusedOtherwise(name: string, exchange: Exchange): boolean {
  const isPlain = /^[a-z\d-]*$/i.test(exchange.request.values[name]?.value ?? '');
  return isPlain && [401, 403, 409].includes(statusOf(exchange) ?? 0) && !isBlockedInFront(exchange);
}

/** Whether a call has a wrong value of this parameter. */
function isOf(name: string, { row = {} }: Exchange): boolean {
  return name in row;
}
