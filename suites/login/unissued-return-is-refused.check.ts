import { activeCheck } from '../../harness/checks/active-check.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, notTested, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { control, namedSteps, probe } from '../../harness/checks/step.ts';
import { describeAnswer, statusOf } from '../../harness/evidence/answer.ts';
import { jsonBody } from '../../harness/requests/call-spec.ts';
import { exchangeValues, issuedValues, sentJson } from './issued-values.ts';
import { anyRefusal, refusals } from './refusals.ts';
import {
  extended,
  inOtherCase,
  lettersIn,
  lettersOfNearMiss,
  lookAlike,
  nearMiss,
} from './unissued-values.ts';

const steps = namedSteps({
  issued: control('consumes a return that was issued', { isOwn: true }),
  lookAlike: probe('a return in the shape of one that was issued, and the same again', { times: 2 }),
  nearMiss: probe('a return that is nearly one that was issued', { times: 3 }),
});

const check: ActiveCheck = activeCheck({
  requirement: 'LOGIN-1',
  title: 'a login return that was never issued is refused with a declared error',
  applies: ({ role }) => role === 'consumes-login',
  needs: () => ['scoped-key', 'valid-call'],
  steps,
  probe: (client) =>
    client.inTurn(async () => {
      const consumed = await client.call(steps.issued);
      const issued = await issuedValues(client, consumed);
      if (issued.length === 0) return;
      const random = client.random('unissued');
      const bodyWith = (change: (value: string) => string): ReturnType<typeof jsonBody> => {
        const changed = new Map(issued.map(({ sent, fresh }) => [sent, change(fresh)]));
        return jsonBody(exchangeValues(sentJson(consumed), changed));
      };
      const body = bodyWith((value) => lookAlike(value, random));
      await client.call(steps.lookAlike, { body });
      await client.call(steps.lookAlike, { body });
      if (!issued.every(({ fresh }) => lettersIn(fresh) >= lettersOfNearMiss)) return;
      for (const change of [nearMiss, inOtherCase, extended]) {
        const isChanged = issued.some(({ fresh }) => change(fresh, random) !== fresh);
        if (isChanged)
          await client.call(steps.nearMiss, { body: bodyWith((value) => change(value, random)) });
      }
    }),
  evaluate: ({ operation, steps: { issued, lookAlike, nearMiss } }) => {
    const probes = [...lookAlike, ...nearMiss];
    if (probes.length === 0) {
      const source = operation.peers?.['initiates-login'];
      return inconclusive(
        'no value in the body of a return is known to come from the initiation of the login',
        `bodies: { ${operation.id}: { …, state: '{loginState}' } } and captures: { loginState: { from: ${source}, pointer: /<where its answer holds it> } }`,
      );
    }
    const [consumed] = issued;
    const isIssuedAccepted = consumed !== undefined && statusOf(consumed) === 200;
    const violations = probes
      .filter((exchange) => !refusals.includes(statusOf(exchange) ?? 0))
      .filter((exchange) => isIssuedAccepted || statusOf(exchange) === 200)
      .map((exchange) => ({
        statement: `A login return that was never issued was not refused: ${exchange.label}`,
        expected: anyRefusal,
        actual: describeAnswer(exchange),
        exchange,
      }));
    return violatedOr(violations, () => {
      if (isIssuedAccepted)
        return pass(
          `refused with ${probes.map(describeAnswer).join(', ')}, while the issued return was consumed with 200`,
        );
      const answer = consumed === undefined ? 'nothing' : describeAnswer(consumed);
      return notTested(`refused, but so was the return that was issued, with ${answer}`);
    });
  },
});

export default check;
