import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { inconclusive } from '../../harness/checks/outcomes.ts';
import { control, namedSteps, probe, witness } from '../../harness/checks/step.ts';
import { hasStatus, statusOf } from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { StepPlan } from '../../harness/sampling/step-plan.ts';
import { isSafe, type Operation, type OperationRole } from '../../spec/operation.ts';
import { askElsewhere, callAfterOthers, evaluateAcceptance } from '../auth/accepted-calls.ts';

const inTurn: StepPlan = {
  at: ({ scope }) => scope !== undefined,
  // A quick run sends these only where a call needs nothing from before and leaves nothing behind.
  weightAt: ({ role }) => (role === 'initiates-login' ? 'high' : 'medium'),
};

const steps = namedSteps({
  valid: control('valid call with the scoped key', { unless: inTurn }),
  hosted: witness('does the key hold the scope?', { followUp: true }),
  identity: witness('does the key hold the scope?', { followUp: true }),
  unscoped: witness('with the key that lacks the scope', inTurn),
  afterUnscoped: probe('valid call with the scoped key, after one with the key that lacks the scope', inTurn),
});

const isAccepted = (exchange: Exchange): boolean => hasStatus(exchange, 200, 409);

export const check: ActiveCheck = activeCheck({
  requirement: 'SCOPE-3',
  title: 'a key that holds the scope is not answered 403, nor after one without it on the same connection',
  applies: (operation) => operation.auth === 'api-key',
  needs: () => ['scoped-key', 'valid-call'],
  steps,
  // A target may keep one session or login at a time, which another case would replace.
  alone: (operation) => !isSafe(operation),
  probe: async (client, operation) => {
    const { scoped, unscoped } = client.keys;
    if (scoped === undefined) return;
    const calls = { other: steps.unscoped, after: steps.afterUnscoped };
    const after = unscoped && (await callAfterOthers(client, calls, [unscoped], scoped));
    if (after?.some(isAccepted) === true) return;
    if (statusOf(await client.call(steps.valid)) !== 403) return;
    const others = (...roles: readonly OperationRole[]): readonly Operation[] =>
      roles.map((role) => client.withRole(role)).filter(({ id }) => id !== operation.id);
    await askElsewhere(client, steps.hosted, others('initiates-login', 'creates-session'), scoped);
    await askElsewhere(client, steps.identity, others('identifies-key', 'identifies-installation'), scoped);
  },
  evaluate: ({ operation: { scope }, steps: { valid, hosted, identity, afterUnscoped } }) => {
    const isHeld =
      scope === undefined ||
      [...valid, ...afterUnscoped, ...hosted].some((one) => statusOf(one) === 200) ||
      identity.some((one) => statusOf(one) === 200 && one.response?.body.text.includes(scope) === true);
    return evaluateAcceptance(valid, afterUnscoped, {
      status: 403,
      statement: 'A key that holds the scope was refused with 403',
      isAccepted,
      doubt: () =>
        isHeld
          ? undefined
          : inconclusive(
              `the scoped key is forbidden at every hosted operation, so it may lack ${scope}`,
              `keys: { scoped: <a key that holds ${scope}> }`,
            ),
      company: 'on a connection that carried a call with a key without the scope',
    });
  },
});
