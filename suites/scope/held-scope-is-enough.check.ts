import type { CaseClient } from '../../harness/calls/case-client.ts';
import { activeCheck } from '../../harness/checks/active-check.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, pass, violated } from '../../harness/checks/outcomes.ts';
import { control, namedSteps, probe, type Step, witness } from '../../harness/checks/step.ts';
import { describeAnswer, statusOf } from '../../harness/evidence/answer.ts';
import { sentValues } from '../../harness/evidence/sent-values.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { InconclusiveError } from '../../harness/requests/inconclusive-error.ts';
import type { StepPlan } from '../../harness/sampling/step-plan.ts';
import { isSafe, type Operation, type OperationRole } from '../../spec/operation.ts';

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

const check: ActiveCheck = activeCheck({
  requirement: 'SCOPE-3',
  title: 'a key that holds the scope is not answered 403, nor after one without it on the same connection',
  applies: (operation) => operation.auth === 'api-key',
  needs: () => ['scoped-key', 'valid-call'],
  steps,
  // A target may keep one session or login at a time, which another case would replace.
  alone: (operation) => !isSafe(operation),
  probe: async (client, operation) => {
    const after = client.plans(steps.afterUnscoped) ? await callAfterUnscoped(client) : undefined;
    if (after !== undefined && isAccepted(after)) return;
    const exchange = await client.call(steps.valid);
    if (statusOf(exchange) === 403) await callElsewhere(client, operation);
  },
  evaluate: ({ operation, steps: { valid, hosted, identity, afterUnscoped } }) => {
    const probes = [...valid, ...afterUnscoped];
    const last = probes.at(-1);
    if (last === undefined) return inconclusive('no call with the scoped key was sent');
    const refused = probes.find((one) => statusOf(one) === 403);
    if (refused === undefined) {
      return probes.some(isAccepted)
        ? pass('the scoped key is accepted')
        : inconclusive(`the call was answered ${describeAnswer(last)}, which says nothing about the scope`);
    }
    const { scope } = operation;
    const isHeld =
      [...probes, ...hosted].some((one) => statusOf(one) === 200) ||
      identity.some((one) => names(one, scope));
    if (scope !== undefined && !isHeld) {
      return inconclusive(
        `the scoped key is forbidden at every hosted operation, so it may lack ${scope}`,
        `keys: { scoped: <a key that holds ${scope}> }`,
      );
    }
    return violated({
      statement: 'A key that holds the scope was refused with 403',
      expected: 'not 403',
      actual: '403',
      ...(valid.some((one) => statusOf(one) === 200)
        ? { company: 'on a connection that carried a call with a key without the scope' }
        : {}),
      exchange: refused,
    });
  },
});

export default check;

function isAccepted(exchange: Exchange): boolean {
  return [200, 409].includes(statusOf(exchange) ?? 0);
}

async function callElsewhere(client: CaseClient, here: Operation): Promise<void> {
  const witnesses: ReadonlyArray<readonly [Step, OperationRole]> = [
    [steps.hosted, 'initiates-login'],
    [steps.hosted, 'creates-session'],
    [steps.identity, 'identifies-key'],
    [steps.identity, 'identifies-installation'],
  ];
  for (const [step, role] of witnesses) {
    const operation = client.withRole(role);
    if (operation.id === here.id) continue;
    try {
      await client.call(step, { operation });
    } catch (error) {
      // One witness fewer.
      if (!(error instanceof InconclusiveError)) throw error;
    }
  }
}

/** A target that caches a refusal by connection or address returns it to the next client. */
async function callAfterUnscoped(client: CaseClient): Promise<Exchange | undefined> {
  const credential = client.keys.unscoped;
  if (credential === undefined) return undefined;
  const connection = client.openConnection();
  const unscoped = await client.call(steps.unscoped, { credential, connection });
  return client.call(steps.afterUnscoped, { connection, parameters: sentValues(unscoped) });
}

function names(exchange: Exchange, scope = ''): boolean {
  return statusOf(exchange) === 200 && exchange.response?.body.text.includes(scope) === true;
}
