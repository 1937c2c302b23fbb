import { activeCheck } from '../../harness/checks/active-check.ts';
import { attemptControl } from '../../harness/checks/attempt-control.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { evaluateRefusals } from '../../harness/checks/refusal.ts';
import { control, namedSteps, probe } from '../../harness/checks/step.ts';
import { statusOf } from '../../harness/evidence/answer.ts';

const steps = namedSteps({
  valid: control('valid call with the key', { isOwn: true }),
  onSameConnection: probe('without credentials, on the connection of the valid call'),
  // Shows whether an accepted call was accepted because of its connection.
  onFreshConnection: probe('without credentials, on a fresh connection', { reserved: 0 }),
});

const check: ActiveCheck = activeCheck({
  requirement: 'AUTH-2',
  title: 'a call without credentials gets 401, also on a connection that was authenticated before',
  applies: (operation) => operation.auth === 'api-key',
  needs: () => ['scoped-key', 'valid-call'],
  steps,
  probe: async (client) => {
    const connection = client.openConnection();
    const missing = await attemptControl(client, steps.valid, { connection });
    const anonymous = { credential: client.keys.none, placeholders: true };
    const exchange = await client.call(steps.onSameConnection, { ...anonymous, connection });
    if (statusOf(exchange) !== 401)
      await client.call(steps.onFreshConnection, { ...anonymous, connection: 'fresh' });
    if (missing !== undefined) throw missing;
  },
  evaluate: ({ steps: { valid, onSameConnection, onFreshConnection } }) =>
    // Where both are accepted, the fresh connection is the one that anybody can repeat.
    evaluateRefusals([...onFreshConnection, ...onSameConnection], valid, {
      status: 401,
      statement: (exchange) => {
        const where =
          exchange.request.connection === 'reused' ? ' on a connection that was authenticated before' : '';
        const how = statusOf(exchange) === 200 ? 'was accepted' : 'was not refused with 401';
        return `A call without credentials ${how}${where}`;
      },
    }),
});

export default check;
