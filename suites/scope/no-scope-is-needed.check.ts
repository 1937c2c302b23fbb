import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { inconclusive, pass, unexpected, violated } from '../../harness/checks/outcomes.ts';
import { attemptControl } from '../../harness/checks/steady-control.ts';
import { control, probe, witness } from '../../harness/checks/step.ts';
import { describeAnswer, isOk, statusOf } from '../../harness/evidence/answer.ts';
import { riderRows, ridersOf } from '../../harness/requests/riders.ts';

/** Milliseconds after which services have forgotten the call before. */
const apartMs = 1_500;

export const check: ActiveCheck = activeCheck({
  stage: 'first',
  requirement: 'SCOPE-2',
  title:
    'a valid key without scopes is accepted where no scope is required, even right after a refusal elsewhere',
  applies: ({ auth, scope }) => auth === 'api-key' && scope === undefined,
  needs: () => ['unscoped-key', 'valid-call'],
  steps: {
    refused: witness('call with a key without the scope where it is needed', { weight: 'medium' }),
    afterRefusal: probe('valid call with a key without the scope', { weight: 'medium', expects: [200] }),
    // surface/repeated-calls-are-answered calls with this key many times at once, and as no other client.
    asAnotherClient: probe('valid call with a key without the scope, as another client', {
      times: riderRows,
      strength: 'one',
      expects: [200],
    }),
    // Shows whether a call was refused because of the call before.
    later: witness('valid call with a key without the scope', { followUp: true }),
    withScope: control('the same call with the scoped key', { followUp: true }),
  },
  probe: async (client, steps) => {
    const { scoped, unscoped: credential } = client.keys;
    if (credential === undefined) return;
    const operation = client.withRole('initiates-login');
    await client.each(steps.refused, () =>
      attemptControl(client, steps.refused, { operation, credential, placeholders: true }),
    );
    for (const step of [steps.afterRefusal, steps.asAnotherClient]) {
      const wrong = (await client.repeat(step, { credential })).find((one) => !isOk(one));
      if (wrong === undefined) continue;
      if (scoped !== undefined)
        await client.call(steps.withScope, { credential: scoped, neutral: ridersOf(wrong) });
      if (step !== steps.afterRefusal) return;
      await client.pause(apartMs);
      await client.call(steps.later, { credential, neutral: ridersOf(wrong) });
      return;
    }
  },
  evaluate: ({ steps: { afterRefusal, asAnotherClient, later, withScope } }) => {
    const calls = [...afterRefusal, ...asAnotherClient];
    const exchange = calls.find((one) => !isOk(one)) ?? calls[0];
    if (exchange === undefined) return inconclusive('no call with a key without the scope was sent');
    const status = statusOf(exchange);
    if (status === 200) return pass('a key without the scope is accepted');
    if (status === 401) return inconclusive('the key was answered 401, which AUTH-4 tests');
    if (!withScope.some(isOk))
      return inconclusive(`the call was answered ${describeAnswer(exchange)} with either key`);
    const company = 'right after a call with the same key that was refused for the scope';
    // What is refused after a pause as well has nothing to do with the call before.
    return violated(
      unexpected('A scope was required where none is needed', '200', exchange, {
        ...(later.some(isOk) && { company }),
      }),
    );
  },
});
