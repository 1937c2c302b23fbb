import { activeCheck } from '../../harness/checks/active-check.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, notTested, pass, violated } from '../../harness/checks/outcomes.ts';
import { control, namedSteps, probe } from '../../harness/checks/step.ts';
import { describeAnswer, statusOf } from '../../harness/evidence/answer.ts';
import { jsonBody, type RawBody } from '../../harness/requests/call-spec.ts';
import { refusals } from './refusals.ts';

const steps = namedSteps({
  withoutKey: probe('a return without a key'),
  malformed: probe('a return that is cut, and so no JSON'),
  afterRefusals: probe('the same return after its refusals', { most: 4, reserved: 1 }),
  undisturbed: control('the return of another login'),
});

const check: ActiveCheck = activeCheck({
  requirement: 'LOGIN-2',
  title: 'a login return that is refused for its key or its form does not use up the login',
  applies: ({ role }) => role === 'consumes-login',
  needs: () => ['scoped-key', 'valid-call'],
  steps,
  probe: (client, operation) =>
    client.inTurn(async () => {
      const body = jsonBody(await client.validBody());
      await client.call(steps.withoutKey, { body, credential: client.keys.none });
      await client.call(steps.malformed, { body: cut(body) });
      // Not every instance may know the login yet.
      await client.retryEarly(
        operation,
        () => client.call(steps.afterRefusals, { body }),
        (exchange) => refusals.includes(statusOf(exchange) ?? 0),
      );
      await client.call(steps.undisturbed);
    }),
  evaluate: ({ steps: { withoutKey, malformed, afterRefusals, undisturbed } }) => {
    const last = afterRefusals.at(-1);
    const other = undisturbed.at(-1);
    const refused = [...withoutKey, ...malformed];
    if (last === undefined || other === undefined)
      return inconclusive('no return was refused and sent again');
    if (statusOf(other) !== 200)
      return notTested(`the return of another login was answered ${describeAnswer(other)} as well`);
    const accepted = refused.find((exchange) => statusOf(exchange) === 200);
    if (accepted !== undefined)
      return inconclusive(`${accepted.label} was answered 200, which other checks evaluate`);
    if (statusOf(last) === 200) return pass(`consumed with 200 after ${refused.length} refusals`);
    return violated({
      statement: 'A refused login return used up its login',
      expected: '200',
      actual: describeAnswer(last),
      exchange: last,
    });
  },
});

export default check;

function cut({ bytes, contentType }: RawBody): RawBody {
  return { bytes: bytes.subarray(0, -1), contentType };
}
