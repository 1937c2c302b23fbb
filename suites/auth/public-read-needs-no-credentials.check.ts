import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { inconclusive, pass, violated } from '../../harness/checks/outcomes.ts';
import { control } from '../../harness/checks/step.ts';
import { describeAnswer, isOk, statusOf } from '../../harness/evidence/answer.ts';

export const check: ActiveCheck = activeCheck({
  requirement: 'AUTH-1',
  title: 'a public read is answered without credentials',
  applies: (operation) => operation.auth === 'none',
  steps: {
    withoutKey: control('without credentials'),
    withKey: control('the same call with a key', { followUp: true }),
  },
  probe: async (client, steps) => {
    const exchange = await client.call(steps.withoutKey);
    const credential = client.keys.scoped ?? client.keys.unscoped;
    if (!isOk(exchange) && credential !== undefined) await client.call(steps.withKey, { credential });
  },
  evaluate: ({ steps: { withoutKey, withKey } }) => {
    const [exchange] = withoutKey;
    if (exchange === undefined) return inconclusive('no call without credentials was sent');
    const status = statusOf(exchange);
    const actual = describeAnswer(exchange);
    if (status === 200) return pass('answered with 200 without credentials');
    const isKeyNeeded = status === 401 || status === 403 || withKey.some(isOk);
    return isKeyNeeded
      ? violated({ statement: 'A public read required credentials', expected: '200', actual, exchange })
      : inconclusive(`the call was answered ${actual}, with a key or without`);
  },
});
