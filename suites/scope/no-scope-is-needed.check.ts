import { activeCheck } from '../../harness/checks/active-check.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, pass, unexpected, violated } from '../../harness/checks/outcomes.ts';
import { control, namedSteps, probe } from '../../harness/checks/step.ts';
import { describeAnswer, statusOf } from '../../harness/evidence/answer.ts';
import { riderRows, ridersOf } from '../../harness/requests/riders.ts';

/** Calls with the same key one after the other; with those of other clients, more than there may be replicas that take turns. */
const plainCalls = 4;

const steps = namedSteps({
  withoutScope: probe('valid call with a key without the scope', {
    times: plainCalls,
    strength: 'one',
  }),
  // Apart from the call above, as a cache may tell clients by their headers.
  asAnotherClient: probe('valid call with a key without the scope, as another client', {
    weight: 'medium',
    times: riderRows,
    expects: [200],
  }),
  withScope: control('the same call with the scoped key', { followUp: true }),
});

const check: ActiveCheck = activeCheck({
  first: true,
  requirement: 'SCOPE-2',
  title: 'a good key without any scope is accepted where none is required',
  applies: ({ auth, scope }) => auth === 'api-key' && scope === undefined,
  needs: () => ['unscoped-key', 'valid-call'],
  steps,
  probe: async (client) => {
    const { scoped, unscoped } = client.keys;
    if (unscoped === undefined) return;
    const plain = await client.repeat(steps.withoutScope, { credential: unscoped });
    const others = plain.every((one) => statusOf(one) === 200)
      ? await client.repeat(steps.asAnotherClient, { credential: unscoped })
      : [];
    const failing = [...plain, ...others].find((one) => statusOf(one) !== 200);
    if (failing !== undefined && scoped !== undefined)
      await client.call(steps.withScope, { credential: scoped, neutral: ridersOf(failing) });
  },
  evaluate: ({ steps: { withoutScope, asAnotherClient, withScope } }) => {
    const calls = [...withoutScope, ...asAnotherClient];
    const exchange = calls.find((one) => statusOf(one) !== 200) ?? calls[0];
    if (exchange === undefined) return inconclusive('no call with a key without the scope was sent');
    const status = statusOf(exchange);
    const actual = describeAnswer(exchange);
    if (status === 200) return pass('a key without the scope is accepted');
    if (status === 401) return inconclusive('the key was answered 401, which AUTH-4 tests');
    return withScope.some((one) => statusOf(one) === 200)
      ? violated(unexpected('A scope was required where none is needed', '200', exchange))
      : inconclusive(`the call was answered ${actual} with either key`);
  },
});

export default check;
