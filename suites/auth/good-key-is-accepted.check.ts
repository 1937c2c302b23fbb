import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { describeAnswer, statusOf } from '../../harness/evidence/answer.ts';
import { sentValues } from '../../harness/evidence/sent-values.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { CaseClient } from '../../harness/requests/case-client.ts';
import type { Credential } from '../../harness/requests/key-ring.ts';
import type { Operation } from '../../spec/contract.ts';

/** Without parameters and bodies, and without a scope: whoever holds a good key is let in here. */
const elsewhere = [
  'getApiKeyIdentity',
  'getInstallationCredentialIdentity',
  'getInstallationCredentialReadiness',
  'listApiKeyCatalogCategories',
  'listApiKeyCatalogProducts',
];

const check: ActiveCheck = {
  kind: 'active',
  requirement: 'AUTH-4',
  title: 'a good key is not answered 401, nor after a call without credentials on its connection',
  applies: (operation) => operation.auth === 'api-key',
  needs: () => ['scoped-key', 'valid-call'],
  requests: () => 4,
  probe: async (client, operation) => {
    const strongest = client.keys.scoped ?? client.keys.unscoped;
    for (const credential of [client.keys.scoped, client.keys.unscoped]) {
      if (credential === undefined) continue;
      const exchange = await client.call({
        role: 'probe',
        label: `valid call with the ${credential.description}`,
        credential,
      });
      if (statusOf(exchange) === 401) await tryElsewhere(client, operation, credential);
      else if (credential === strongest) await callAfterStranger(client, credential);
    }
  },
  evaluate: ({ exchanges }) => {
    const probes = exchanges.filter(({ role }) => role === 'probe');
    if (probes.length === 0) return inconclusive('no call with a good key was made');
    const refused = probes.filter((probe) => statusOf(probe) === 401);
    const violations = refused
      .filter((probe) => acceptedElsewhere(exchanges, probe))
      .map((probe) => ({
        statement: 'a good key is accepted',
        expected: 'not 401',
        actual: '401',
        exchange: probe,
      }));
    return violatedOr(violations, () => {
      const [first] = refused;
      if (first !== undefined) {
        const { kind, description } = first.request.credential;
        return inconclusive(
          `the ${description} is accepted nowhere, so it may not be a good one`,
          `keys: { ${kind}: <a key that the target accepts> }, or authorization: <how a key is written in the header, such as 'Bearer {key}'>`,
        );
      }
      const accepted = probes.filter((probe) => [200, 403, 409].includes(statusOf(probe) ?? 0));
      return accepted.length > 0
        ? pass(`accepted in ${accepted.length} of ${probes.length} calls, and never answered 401`)
        : inconclusive(
            `the call was answered ${describeAnswer(probes[0] as Exchange)}, which says nothing of the key`,
          );
    });
  },
};

export default check;

async function tryElsewhere(client: CaseClient, operation: Operation, credential: Credential): Promise<void> {
  for (const id of elsewhere.filter((id) => id !== operation.id)) {
    const witness = await client.call({
      role: 'witness',
      label: `is the ${credential.description} accepted elsewhere?`,
      operation: client.operation(id),
      credential,
    });
    if (statusOf(witness) === 200) return;
  }
}

/** What keeps a refusal, by connection or by address, gives it to whoever comes next. */
async function callAfterStranger(client: CaseClient, credential: Credential): Promise<void> {
  const connection = client.openConnection();
  const stranger = await client.call({
    role: 'witness',
    label: 'without credentials',
    credential: client.keys.none,
    connection,
  });
  await client.call({
    role: 'probe',
    label: `valid call with the ${credential.description}, after one without credentials`,
    credential,
    connection,
    parameters: sentValues(stranger),
  });
}

function acceptedElsewhere(exchanges: readonly Exchange[], probe: Exchange): boolean {
  return exchanges.some(
    ({ role, request, ...rest }) =>
      role !== 'setup' &&
      request.credential.kind === probe.request.credential.kind &&
      (rest.response?.status === 200 || rest.response?.status === 403),
  );
}
