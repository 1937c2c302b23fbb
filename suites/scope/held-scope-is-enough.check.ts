import { CannotJudge } from '../../harness/checks/cannot-judge.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/judgement.ts';
import { describeAnswer, statusOf } from '../../harness/recording/answer.ts';
import type { Exchange } from '../../harness/recording/exchange.ts';

const hosted = exampleOperation({
  id: 'initiateHostedLogin',
  method: 'POST',
  group: 'hosted',
  scope: 'catalog:read',
});

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
  title: 'a key that holds the scope is not answered 403',
  applies: (operation) => operation.auth === 'api-key',
  needs: () => ['scoped-key', 'valid-call'],
  requests: () => 1,
  probe: async (caller, operation) => {
    const probe = await caller.call({ role: 'probe', label: 'valid call with the scoped key' });
    if (statusOf(probe) !== 403) return;
    for (const id of elsewhere.filter((id) => id !== operation.id)) {
      try {
        await caller.call({
          role: 'witness',
          label: 'does the key hold the scope?',
          operation: caller.operation(id),
        });
      } catch (error) {
        // One witness fewer.
        if (!(error instanceof CannotJudge)) throw error;
      }
    }
  },
  judge: ({ operation, exchanges }) => {
    const probe = exchanges.find(({ role }) => role === 'probe');
    if (probe === undefined) return inconclusive('no call with the scoped key was made');
    const status = statusOf(probe);
    if (status === 200 || status === 409) return pass('the scoped key is let in');
    if (status !== 403)
      return inconclusive(`the call was answered ${describeAnswer(probe)}, which says nothing of the scope`);
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
          exchange: probe,
        },
      ],
      () => pass(''),
    );
  },
  examples: [
    {
      name: 'let in',
      given: { operation: hosted, exchanges: [exampleExchange({ status: 200 })] },
      says: 'pass',
    },
    {
      name: 'forbidden here, let in at another hosted operation',
      given: {
        operation: hosted,
        exchanges: [
          exampleExchange({ status: 403 }),
          exampleExchange({ role: 'witness', operation: 'createHostedCheckoutSession', status: 200 }),
        ],
      },
      says: 'violated',
    },
    {
      name: 'forbidden at all hosted operations, but the identity names the scope',
      given: {
        operation: hosted,
        exchanges: [
          exampleExchange({ status: 403 }),
          exampleExchange({ role: 'witness', status: 200, body: '{"scopes":["catalog:read"]}' }),
        ],
      },
      says: 'violated',
    },
    {
      name: 'forbidden at all hosted operations, and nothing says that it holds the scope',
      given: {
        operation: hosted,
        exchanges: [exampleExchange({ status: 403 }), exampleExchange({ role: 'witness', status: 200 })],
      },
      says: 'inconclusive',
    },
    {
      name: 'forbidden where no scope is required',
      given: { operation: exampleOperation(), exchanges: [exampleExchange({ status: 403 })] },
      says: 'violated',
    },
  ],
};

export default check;

function holdsScope(exchanges: readonly Exchange[]): boolean {
  return exchanges.some((exchange) => {
    if (exchange.role === 'probe' || statusOf(exchange) !== 200) return false;
    const isHosted = exchange.request.path.includes('/open/hosted/') || /Hosted/.test(exchange.operation);
    return isHosted || exchange.response?.body.text.includes('catalog:read') === true;
  });
}
