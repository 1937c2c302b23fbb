import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { describeAnswer, statusOf } from '../../harness/evidence/answer.ts';

const check: ActiveCheck = {
  kind: 'active',
  requirement: 'SCOPE-2',
  title: 'a good key without any scope is let in where none is required',
  applies: ({ auth, scope }) => auth === 'api-key' && scope === undefined,
  needs: () => ['unscoped-key', 'valid-call'],
  requests: () => 2,
  probe: async (client) => {
    const { scoped, unscoped } = client.keys;
    if (unscoped === undefined) return;
    const probe = await client.call({
      role: 'probe',
      label: 'valid call with a key without the scope',
      credential: unscoped,
    });
    if (statusOf(probe) !== 200 && scoped !== undefined) {
      await client.call({ role: 'control', label: 'the same call with the scoped key', credential: scoped });
    }
  },
  evaluate: ({ exchanges }) => {
    const probe = exchanges.find(({ role }) => role === 'probe');
    const control = exchanges.find(({ role }) => role === 'control');
    if (probe === undefined) return inconclusive('no call with a key without the scope was made');
    const status = statusOf(probe);
    if (status === 200) return pass('a key without the scope is let in');
    if (status === 401) return inconclusive('the key was answered 401, which AUTH-4 judges');
    const scopeApplies = control !== undefined && statusOf(control) === 200;
    if (!scopeApplies) return inconclusive(`the call was answered ${describeAnswer(probe)} with either key`);
    return violatedOr(
      [
        {
          statement: 'no scope is needed here',
          expected: '200',
          actual: describeAnswer(probe),
          exchange: probe,
        },
      ],
      () => pass(''),
    );
  },
};

export default check;
