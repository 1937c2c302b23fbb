import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { inconclusive } from '../../harness/checks/outcomes.ts';
import { control, namedSteps, probe, witness } from '../../harness/checks/step.ts';
import { hasStatus, statusOf } from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { askElsewhere, callAfterOthers, evaluateAcceptance, isSameKey } from './accepted-calls.ts';
import { isPlainRead } from './refused-keys.ts';

const steps = namedSteps({
  valid: probe('valid call with a good key', { followUp: true }),
  elsewhere: witness('is the key accepted elsewhere?', { followUp: true }),
  plain: control('valid call'),
  stranger: witness('without a good key', { weight: 'medium', times: 2 }),
  afterStranger: probe('valid call with a good key, after calls without one', { weight: 'medium' }),
});

/** Whether a call says that its key passed authentication; a session may have ended meanwhile. */
const isAccepted = (exchange: Exchange): boolean => hasStatus(exchange, 200, 403, 409);

export const check: ActiveCheck = activeCheck({
  requirement: 'AUTH-4',
  title: 'a good key is not refused with 401, nor after calls without a good key on the same connection',
  applies: (operation) => operation.auth === 'api-key',
  needs: () => ['scoped-key', 'valid-call'],
  steps,
  probe: async (client, operation) => {
    const { scoped, unscoped, none, invalid } = client.keys;
    if (scoped === undefined) return;
    const inTurn = { other: steps.stranger, after: steps.afterStranger };
    // Where a scope is needed, scope/missing-scope-is-forbidden sends the other key.
    const isForAll = operation.scope === undefined && client.plans(steps.afterStranger);
    const key = isForAll ? (unscoped ?? scoped) : scoped;
    const calls = [
      ...(await client.repeat(steps.plain)),
      ...(await callAfterOthers(client, inTurn, [none, ...invalid.slice(0, 1)], key)),
    ];
    if (!calls.some((one) => one.request.credential.kind === key.kind && isAccepted(one))) {
      const label = `valid call with the ${key.description}`;
      calls.push(await client.call(steps.valid, { label, credential: key }));
    }
    // Such reads accept every good key.
    const reads = client.operations.filter((one) => isPlainRead(one) && one.id !== operation.id);
    for (const key of [scoped, ...(unscoped === undefined ? [] : [unscoped])])
      if (calls.some((one) => one.request.credential.kind === key.kind && statusOf(one) === 401))
        await askElsewhere(client, steps.elsewhere, reads, key);
  },
  evaluate: ({ steps: { valid, plain, elsewhere, afterStranger } }) =>
    evaluateAcceptance([...plain, ...valid], afterStranger, {
      status: 401,
      statement: 'A good key was refused',
      isAccepted,
      doubt: (refused) => {
        const all = [...plain, ...valid, ...afterStranger, ...elsewhere];
        if (all.some((one) => isSameKey(one, refused) && hasStatus(one, 200, 403))) return undefined;
        const { kind, description } = refused.request.credential;
        return inconclusive(
          `the ${description} is accepted nowhere, so it may be invalid`,
          `keys: { ${kind}: <a key that the target accepts> }, or authorization: <how a key is written in the header, such as 'Bearer {key}'>`,
        );
      },
      company: 'on a connection that carried calls without a good key',
    }),
});
