import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive } from '../../harness/checks/outcomes.ts';
import { isOk } from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { StepPlan } from '../../harness/sampling/step-plan.ts';
import { isSafe } from '../../spec/operation.ts';
import { acceptedCalls } from '../auth/accepted-calls.ts';

const inTurn: StepPlan = {
  at: ({ scope }) => scope !== undefined,
  // A quick run sends these only where a call needs nothing from before and leaves nothing behind.
  weightAt: ({ role }) => (role === 'initiates-login' ? 'high' : 'medium'),
};

export const check: ActiveCheck = acceptedCalls({
  requirement: 'SCOPE-3',
  title: 'a key with the scope is not answered 403, not even after a key without it on the same connection',
  // A target may keep one session or login at a time, which another case would replace.
  alone: (operation) => !isSafe(operation),
  status: 403,
  statement: 'A key that holds the scope was refused with 403',
  accepted: [200, 409],
  plain: { unless: inTurn },
  inTurn,
  others: ({ scoped, unscoped }) => [scoped, ...(unscoped === undefined ? [] : [unscoped])],
  company: 'on a connection that carried a call with a key without the scope',
  elsewhere: (client) => ({
    scope: [client.withRole('initiates-login'), client.withRole('creates-session')],
    identity: [client.withRole('identifies-key'), client.withRole('identifies-installation')],
  }),
  doubt: (_refused, all, { scope }) => {
    const shows = (one: Exchange): boolean =>
      one.row?.['shown'] !== 'identity' || one.response?.body.text.includes(scope ?? '') === true;
    return scope === undefined || all.some((one) => isOk(one) && shows(one))
      ? undefined
      : inconclusive(
          `the scoped key gets 403 at every hosted operation, so it may lack ${scope}`,
          `keys: { scoped: <a key that holds ${scope}> }`,
        );
  },
});
