import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { describeAnswer, statusOf } from '../../harness/evidence/answer.ts';

const check: ActiveCheck = {
  kind: 'active',
  requirement: 'AUTH-1',
  title: 'a public read is answered without credentials',
  applies: (operation) => operation.auth === 'none',
  needs: () => ['valid-call'],
  requests: () => 2,
  probe: async (client) => {
    const anonymous = await client.call({
      role: 'probe',
      label: 'without credentials',
      credential: client.keys.none,
    });
    const key = client.keys.scoped ?? client.keys.unscoped;
    if (statusOf(anonymous) !== 200 && key !== undefined) {
      await client.call({ role: 'control', label: 'the same call with a key', credential: key });
    }
  },
  evaluate: ({ exchanges }) => {
    const probe = exchanges.find(({ role }) => role === 'probe');
    const withKey = exchanges.find(({ role }) => role === 'control');
    if (probe === undefined) return inconclusive('no call without credentials was made');
    const status = statusOf(probe);
    if (status === 200) return pass('answered with 200 without credentials');
    const demands = status === 401 || status === 403 || (withKey !== undefined && statusOf(withKey) === 200);
    if (!demands)
      return inconclusive(`the call was answered ${describeAnswer(probe)}, with a key or without`);
    return violatedOr(
      [
        {
          statement: 'a public read needs no credentials',
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
