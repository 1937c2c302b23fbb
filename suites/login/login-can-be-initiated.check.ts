import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { inconclusive, pass, unexpected, violated } from '../../harness/checks/outcomes.ts';
import { refusedForKeyOrBody } from '../../harness/checks/refused-body.ts';
import { control, witness } from '../../harness/checks/step.ts';
import { variedBodies } from '../../harness/checks/vary-body.ts';
import { isOk, statusOf } from '../../harness/evidence/answer.ts';

export const check: ActiveCheck = activeCheck({
  requirement: 'LOGIN-1',
  title: 'a hosted login can be initiated',
  applies: ({ role }) => role === 'initiates-login',
  needs: () => ['scoped-key', 'valid-call'],
  steps: {
    login: control('initiates a login'),
    otherLogin: witness('initiates another login', { followUp: true }),
  },
  alone: () => true,
  probe: async (client, steps) => {
    const exchange = await client.call(steps.login);
    if (statusOf(exchange) !== 409) return;
    // The run has initiated the same login for other checks, and equal requests may conflict.
    const [body] = variedBodies(exchange, 1);
    if (body !== undefined) await client.call(steps.otherLogin, { body });
  },
  evaluate: ({ operation, steps: { login, otherLogin } }) => {
    const exchange = login.at(-1);
    if (exchange === undefined) return inconclusive('no login was initiated');
    const status = statusOf(exchange);
    if (status === 200) return pass('initiated with 200');
    const refused = refusedForKeyOrBody(exchange, status === 400);
    if (refused !== undefined) return refused;
    if (status === 409 && otherLogin.some(isOk))
      return pass('answered 200, and 409 only where the same login had been initiated before');
    if (status === 409 && !otherLogin.some((one) => statusOf(one) === 409))
      return inconclusive(
        'answered 409, which is allowed if the same login was initiated before',
        `bodies: { ${operation.id}: { …, <a field that tells logins apart>: "{unique}" } }`,
      );
    const headline = 'A hosted login could not be initiated';
    return violated(unexpected(headline, '200', exchange, { headline }));
  },
});
