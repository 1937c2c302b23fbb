import type { CaseClient } from '../../harness/calls/case-client.ts';
import { activeCheck } from '../../harness/checks/active-check.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { control, namedSteps, probe, witness } from '../../harness/checks/step.ts';
import { describeAnswer, statusOf } from '../../harness/evidence/answer.ts';
import { sentValues } from '../../harness/evidence/sent-values.ts';
import type { Credential } from '../../harness/requests/key-ring.ts';
import type { Operation } from '../../spec/operation.ts';
import { isAccepted, mayBeInvalid } from './accepted-keys.ts';

const steps = namedSteps({
  // Where a scope is needed, scope/missing-scope-is-forbidden sends the other key.
  valid: probe('valid call with a good key', {
    weight: 'medium',
    at: ({ scope }) => scope === undefined,
  }),
  elsewhere: witness('is the key accepted elsewhere?', { followUp: true }),
  plain: control('valid call', { joined: 'all' }),
  stranger: witness('without a good key', { weight: 'medium', times: 2 }),
  afterStranger: probe('valid call with a good key, after calls without one', { weight: 'medium' }),
});

const check: ActiveCheck = activeCheck({
  requirement: 'AUTH-4',
  title: 'a good key is not refused with 401, nor after calls without a good key on the same connection',
  applies: (operation) => operation.auth === 'api-key',
  needs: () => ['scoped-key', 'valid-call'],
  steps,
  probe: async (client, operation) => {
    const { scoped, unscoped } = client.keys;
    const strongest = scoped ?? unscoped;
    const [plain] = await client.repeat(steps.plain);
    if (plain !== undefined && statusOf(plain) === 401 && strongest !== undefined)
      await callElsewhere(client, operation, strongest);
    for (const credential of [scoped, unscoped]) {
      if (credential === undefined) continue;
      const isStrongest = credential === strongest;
      if (isStrongest && (await isAcceptedAfterStranger(client, credential))) continue;
      const label = `valid call with the ${credential.description}`;
      const changes = { label, credential };
      const [exchange] = isStrongest
        ? [await client.call(steps.valid, changes)]
        : await client.repeat(steps.valid, changes);
      if (exchange !== undefined && statusOf(exchange) === 401)
        await callElsewhere(client, operation, credential);
    }
  },
  evaluate: ({ steps: { valid, plain, elsewhere, afterStranger } }) => {
    const probes = [...plain, ...valid, ...afterStranger];
    const [first] = probes;
    if (first === undefined) return inconclusive('no call with a good key was sent');
    const refused = probes.filter((one) => statusOf(one) === 401);
    const violations = refused
      .filter(({ request }) => isAccepted(request.credential.kind, [...probes, ...elsewhere]))
      .map((exchange) => ({
        statement: 'A good key was refused',
        expected: 'not 401',
        actual: '401',
        ...(afterStranger.includes(exchange) &&
        isAccepted(exchange.request.credential.kind, [...plain, ...valid])
          ? { company: 'on a connection that carried calls without a good key' }
          : {}),
        exchange,
      }));
    return violatedOr(violations, () => {
      if (refused[0] !== undefined) return mayBeInvalid(refused[0]);
      const accepted = probes.filter((one) => [200, 403, 409].includes(statusOf(one) ?? 0));
      return accepted.length > 0
        ? pass(`accepted in ${accepted.length} of ${probes.length} calls, and never answered 401`)
        : inconclusive(`the call was answered ${describeAnswer(first)}, which says nothing about the key`);
    });
  },
});

export default check;

/** Reads that take no parameters and need no scope accept every good key. */
async function callElsewhere(client: CaseClient, here: Operation, credential: Credential): Promise<void> {
  const reads = client.operations.filter(
    ({ auth, scope, method, pathParameters }) =>
      auth === 'api-key' && scope === undefined && method === 'GET' && pathParameters.length === 0,
  );
  for (const operation of reads.filter(({ id }) => id !== here.id)) {
    const label = `is the ${credential.description} accepted elsewhere?`;
    const exchange = await client.call(steps.elsewhere, { label, operation, credential });
    if (statusOf(exchange) === 200) return;
  }
}

/** A target that caches a refusal by connection or address returns it to the next client; true where no such call is planned. */
async function isAcceptedAfterStranger(client: CaseClient, credential: Credential): Promise<boolean> {
  const connection = client.openConnection();
  const { none, invalid } = client.keys;
  const strangers = [none, ...invalid.slice(0, 1)].map(
    (stranger) => ({ stranger, weight: 'medium' }) as const,
  );
  let parameters: Readonly<Record<string, string>> = {};
  for (const { stranger } of client.chosen(strangers)) {
    const label = `with ${stranger.description}`;
    parameters = sentValues(
      await client.call(steps.stranger, { label, credential: stranger, connection, parameters }),
    );
  }
  const [exchange] = await client.repeat(steps.afterStranger, {
    label: `valid call with the ${credential.description}, after calls without a good key`,
    credential,
    connection,
    parameters,
  });
  // A session may have ended meanwhile.
  return exchange === undefined || [200, 403, 409].includes(statusOf(exchange) ?? 0);
}
