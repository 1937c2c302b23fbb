import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive } from '../../harness/checks/outcomes.ts';
import { hasStatus } from '../../harness/evidence/answer.ts';
import { acceptedCalls, isPlainRead, isSameKey } from './accepted-calls.ts';

export const check: ActiveCheck = acceptedCalls({
  requirement: 'AUTH-4',
  title:
    'a valid key is not refused with 401, not even after calls without a valid key on the same connection',
  status: 401,
  statement: 'A valid key was refused',
  // The session may have ended in the meantime.
  accepted: [200, 403, 409],
  plain: {},
  inTurn: { weight: 'medium', times: 2 },
  // If a scope is required, scope/missing-scope-is-forbidden sends the other key.
  others: ({ scoped, unscoped, none, invalid }, { scope }) => [
    scope === undefined ? (unscoped ?? scoped) : scoped,
    none,
    ...invalid.slice(0, 1),
  ],
  company: 'on a connection that carried calls without a good key',
  // Such reads accept every good key.
  elsewhere: ({ operations }) => ({ key: operations.filter(isPlainRead) }),
  doubt: (refused, all) => {
    if (all.some((one) => isSameKey(one, refused) && hasStatus(one, 200, 403))) return undefined;
    const { kind, description } = refused.request.credential;
    return inconclusive(
      `no operation accepts the ${description}, so it may be invalid`,
      `keys: { ${kind}: <a key that the target accepts> }, or authorization: <how a key is written in the header, such as 'Bearer {key}'>`,
    );
  },
});
