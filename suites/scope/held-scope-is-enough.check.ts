import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { describeAnswer, statusOf } from '../../harness/evidence/answer.ts';
import { sentValues } from '../../harness/evidence/sent-values.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { CaseClient } from '../../harness/requests/case-client.ts';
import { InconclusiveError } from '../../harness/requests/inconclusive-error.ts';
import type { Operation } from '../../spec/contract.ts';

/** Where a key that holds the scope is let in, and where it may say which scopes it holds. */
const elsewhere = [
  'initiateHostedLogin',
  'createHostedCheckoutSession',
  'getApiKeyIdentity',
  'getInstallationCredentialIdentity',
];

const check: ActiveCheck = {
  kind: 'active',
  requirement: 'SCOPE-3',
  title: 'a key that holds the scope is not answered 403, nor after one without it on its connection',
  applies: (operation) => operation.auth === 'api-key',
  needs: () => ['scoped-key', 'valid-call'],
  requests: ({ scope }) => (scope === undefined ? 1 : 3),
  probe: async (client, operation) => {
    const probe = await client.call({ role: 'probe', label: 'valid call with the scoped key' });
    if (statusOf(probe) === 403) await tryElsewhere(client, operation);
    else if (operation.scope !== undefined) await callAfterUnscoped(client);
  },
  evaluate: ({ operation, exchanges }) => {
    const probes = exchanges.filter(({ role }) => role === 'probe');
    const last = probes.at(-1);
    if (last === undefined) return inconclusive('no call with the scoped key was made');
    const refused = probes.find((probe) => statusOf(probe) === 403);
    if (refused === undefined) {
      return probes.some((probe) => [200, 409].includes(statusOf(probe) ?? 0))
        ? pass('the scoped key is let in')
        : inconclusive(`the call was answered ${describeAnswer(last)}, which says nothing of the scope`);
    }
    if (operation.scope !== undefined && !holdsScope(exchanges)) {
      return inconclusive(
        'the scoped key is forbidden at every hosted operation, so it may lack catalog:read',
        'keys: { scoped: <a key that holds catalog:read> }',
      );
    }
    return violatedOr(
      [
        {
          statement: 'a key that holds the scope is let in',
          expected: 'not 403',
          actual: '403',
          exchange: refused,
        },
      ],
      () => pass(''),
    );
  },
};

export default check;

async function tryElsewhere(client: CaseClient, operation: Operation): Promise<void> {
  for (const id of elsewhere.filter((id) => id !== operation.id)) {
    try {
      await client.call({
        role: 'witness',
        label: 'does the key hold the scope?',
        operation: client.operation(id),
      });
    } catch (error) {
      // One witness fewer.
      if (!(error instanceof InconclusiveError)) throw error;
    }
  }
}

/** What keeps a refusal, by connection or by address, gives it to whoever comes next. */
async function callAfterUnscoped(client: CaseClient): Promise<void> {
  const credential = client.keys.unscoped;
  if (credential === undefined) return;
  const connection = client.openConnection();
  const unscoped = await client.call({
    role: 'witness',
    label: 'with the key that lacks the scope',
    credential,
    connection,
  });
  await client.call({
    role: 'probe',
    label: 'valid call with the scoped key, after one with the key that lacks the scope',
    connection,
    parameters: sentValues(unscoped),
  });
}

function holdsScope(exchanges: readonly Exchange[]): boolean {
  return exchanges.some((exchange) => {
    if (exchange.request.credential.kind !== 'scoped' || statusOf(exchange) !== 200) return false;
    const isHosted = exchange.request.path.includes('/open/hosted/') || /Hosted/.test(exchange.operation);
    return isHosted || exchange.response?.body.text.includes('catalog:read') === true;
  });
}
