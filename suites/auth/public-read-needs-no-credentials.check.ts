import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { inconclusive, pass, unexpected, violated } from '../../harness/checks/outcomes.ts';
import { control, probe } from '../../harness/checks/step.ts';
import { describeAnswer, hasStatus, isBlockedInFront, isOk } from '../../harness/evidence/answer.ts';
import type { Operation } from '../../spec/operation.ts';

const isList = ({ path }: Operation): boolean => /\/(?:products|categories|search)$/.test(path);

export const check: ActiveCheck = activeCheck({
  requirement: 'AUTH-1',
  title: 'a public read is answered without credentials',
  applies: (operation) => operation.auth === 'none',
  steps: {
    withoutKey: control('without credentials'),
    // Some shops let only customers look further than the first pages.
    deepPage: probe('a later page without credentials', { weight: 'medium', at: isList }),
    withKey: control('the same call with a key', { followUp: true }),
    withoutAgain: control('without credentials once more', { followUp: true }),
  },
  probe: async (client, steps) => {
    const exchange = await client.call(steps.withoutKey);
    const credential = client.keys.scoped ?? client.keys.unscoped;
    const query = 'page=9';
    if (isOk(exchange)) await client.repeat(steps.deepPage, { query, row: { query: [query] } });
    else if (credential !== undefined && isOk(await client.call(steps.withKey, { credential })))
      await client.call(steps.withoutAgain);
  },
  evaluate: ({ steps: { withoutKey, deepPage, withKey, withoutAgain } }) => {
    const [first] = withoutKey;
    const denied = deepPage.find((one) => hasStatus(one, 401, 403) && !isBlockedInFront(one));
    const exchange = denied ?? first;
    if (exchange === undefined) return inconclusive('no call without credentials was sent');
    if (isOk(exchange)) return pass('answered with 200 without credentials');
    if (withoutAgain.some(isOk))
      return violated(
        unexpected('A public read is not answered every time', '200, as a moment later', exchange, {
          fix: 'Look for instances that differ, such as in their version, their data or a feature flag: the same call without credentials was answered with 200 a moment later.',
        }),
      );
    return hasStatus(exchange, 401, 403) || withKey.some(isOk)
      ? violated(unexpected('A public read required credentials', '200', exchange))
      : inconclusive(`the call was answered ${describeAnswer(exchange)}, with a key or without`);
  },
});
