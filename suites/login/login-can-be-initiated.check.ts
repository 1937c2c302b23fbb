import type { ActiveCheck } from '../../harness/checks/check.ts';
import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { varyBody } from '../../harness/checks/vary-body.ts';
import { describeAnswer, statusOf } from '../../harness/evidence/answer.ts';

const operation = exampleOperation({
  id: 'initiateHostedLogin',
  method: 'POST',
  group: 'hosted',
  scope: 'catalog:read',
});

const check: ActiveCheck = {
  kind: 'active',
  requirement: 'LOGIN-1',
  title: 'a hosted login can be initiated',
  applies: ({ id }) => id === operation.id,
  needs: () => ['scoped-key', 'valid-call'],
  requests: () => 2,
  probe: async (client) => {
    const exchange = await client.call({ role: 'control', label: 'initiates a login' });
    if (statusOf(exchange) !== 409) return;
    // The run has initiated the same login for other checks, and equal requests may lawfully conflict.
    const body = varyBody(exchange, 1);
    if (body !== undefined) await client.call({ role: 'witness', label: 'initiates another login', body });
  },
  evaluate: ({ exchanges }) => {
    const exchange = exchanges.findLast(({ role }) => role === 'control');
    if (exchange === undefined) return inconclusive('no login was initiated');
    const status = statusOf(exchange);
    if (status === 200) return pass('initiated with 200');
    if (status === 401 || status === 403)
      return inconclusive(
        `the call was refused with ${status}, which the checks of keys and scopes evaluate`,
      );
    if (status === 409) {
      const other = exchanges.findLast(({ role }) => role === 'witness');
      if (other !== undefined && statusOf(other) === 200)
        return pass('initiated with 200, and with 409 only where the same login was initiated before');
      if (other === undefined || statusOf(other) !== 409)
        return inconclusive(
          'answered 409, which is lawful where the same login was initiated before',
          'bodies: { initiateHostedLogin: { …, <a field that tells logins apart>: "{unique}" } }',
        );
    }
    return violatedOr(
      [
        {
          statement: 'a hosted login can be initiated',
          expected: '200',
          actual: describeAnswer(exchange),
          exchange,
        },
      ],
      () => pass(''),
    );
  },
};

export default check;
