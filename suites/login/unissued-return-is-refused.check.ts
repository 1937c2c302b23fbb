import type { ActiveCheck } from '../../harness/checks/check.ts';
import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import { notTested } from '../../harness/checks/not-tested.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { describeAnswer, statusOf } from '../../harness/evidence/answer.ts';
import { jsonBody } from '../../harness/requests/call-spec.ts';
import { mutatePreservingShape } from '../../harness/requests/mutate-preserving-shape.ts';
import { exchangeValues, issuedValues, sentJson } from './issued-values.ts';

const operation = exampleOperation({
  id: 'consumeHostedLoginReturn',
  method: 'POST',
  group: 'hosted',
  scope: 'catalog:read',
});

const refusals = [400, 401, 403, 404, 409];

/** Letters and digits that a value must have for a near miss of it not to be another login's by chance. */
const lettersOfNearMiss = 16;
/** The same for a value that shares its shape alone; a shorter one is made longer. */
const lettersOfLookAlike = 6;

const check: ActiveCheck = {
  kind: 'active',
  requirement: 'LOGIN-1',
  title: 'a login return that was never issued is refused with a declared error',
  applies: ({ id }) => id === operation.id,
  needs: () => ['scoped-key', 'valid-call'],
  requests: () => 3,
  probe: (client) =>
    client.inTurn(async () => {
      const consumed = await client.call({ role: 'control', label: 'consumes a return that was issued' });
      const issued = await issuedValues(client, consumed);
      if (issued.length === 0) return;
      const body = sentJson(consumed);
      const random = client.random('unissued');
      const send = async (label: string, change: (value: string) => string): Promise<void> => {
        const changed = new Map(issued.map(({ sent, fresh }) => [sent, change(fresh)]));
        await client.call({ role: 'probe', label, body: jsonBody(exchangeValues(body, changed)) });
      };
      await send('a return in the shape of one that was issued', (value) => lookAlike(value, random));
      if (issued.every(({ fresh }) => lettersIn(fresh) >= lettersOfNearMiss)) {
        await send('a return that differs from one that was issued in one character', (value) =>
          nearMiss(value, random),
        );
      }
    }),
  evaluate: ({ exchanges }) => {
    const consumed = exchanges.find(({ role }) => role === 'control');
    const probes = exchanges.filter(({ role }) => role === 'probe');
    if (probes.length === 0)
      return inconclusive(
        'no value in the body of a return is known to come from the initiation of the login',
        "bodies: { consumeHostedLoginReturn: { …, state: '{loginState}' } } and captures: { loginState: { from: initiateHostedLogin, pointer: /<where its answer holds it> } }",
      );
    const wasRight = consumed !== undefined && statusOf(consumed) === 200;
    const violations = probes
      .filter((probe) => !refusals.includes(statusOf(probe) ?? 0))
      .filter((probe) => wasRight || statusOf(probe) === 200)
      .map((exchange) => ({
        statement: `what was never issued is refused: ${exchange.label}`,
        expected: 'one of 400, 401, 403, 404 and 409',
        actual: describeAnswer(exchange),
        exchange,
      }));
    return violatedOr(violations, () => {
      if (wasRight)
        return pass(
          `refused with ${probes.map(describeAnswer).join(', ')}, and the one that was issued consumed with 200`,
        );
      return notTested(
        `refused, but so was the return that was issued, with ${consumed === undefined ? 'nothing' : describeAnswer(consumed)}`,
      );
    });
  },
};

export default check;

function lettersIn(value: string): number {
  return value.replaceAll(/[^A-Za-z0-9]/g, '').length;
}

function lookAlike(value: string, random: () => number): string {
  // Another short value may be that of another login, so this one gets more places than any has.
  return mutatePreservingShape(
    lettersIn(value) < lettersOfLookAlike ? `${value}482915`.slice(0, 14) : value,
    random,
  );
}

/** The last but one: in base64 the low bits of the last character may mean nothing. */
function nearMiss(value: string, random: () => number): string {
  const places = [...value.matchAll(/[A-Za-z0-9]/g)].map((match) => match.index);
  const place = places.at(-2) ?? 0;
  return (
    value.slice(0, place) +
    mutatePreservingShape(value.slice(place, place + 1), random) +
    value.slice(place + 1)
  );
}
