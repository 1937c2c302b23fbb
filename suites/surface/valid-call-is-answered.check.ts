import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { describeAnswer, statusOf } from '../../harness/evidence/answer.ts';
import { type CallSpec, jsonBody } from '../../harness/requests/call-spec.ts';
import type { CaseClient } from '../../harness/requests/case-client.ts';
import type { Operation } from '../../spec/contract.ts';
import { callSomethingElse, callsBetween, isUnknown } from './issued-values.ts';

const undisturbed = 'no session having been opened';

/** These take what another call has just issued, which a target may not know everywhere at once. */
const takers = ['cancelHostedCheckoutSession', 'consumeHostedLoginReturn'];
/** Milliseconds that it is given to settle, where it was refused without. */
const propagationTimes = [500, 1500];

const check: ActiveCheck = {
  kind: 'active',
  requirement: 'SURFACE-1',
  title: 'a valid call at the operation’s method and path is answered with 200',
  applies: () => true,
  needs: () => ['valid-call'],
  requests: ({ id }) =>
    takers.includes(id)
      ? 1 + propagationTimes.length + callsBetween.reduce((sum, between) => sum + 1 + between, 0)
      : 1,
  alone: ({ method }) => method === 'POST',
  probe: async (client, operation) => {
    const call = { role: 'control', persistent: true } as const;
    for (const pause of [0, 200, 400]) {
      await client.pause(pause);
      // A service may allow one open session; but if none was ever opened, there is nothing to conflict with.
      const label =
        client.hasOpenedSessions || operation.id !== 'createHostedCheckoutSession'
          ? 'valid call'
          : `valid call, ${undisturbed}`;
      const exchange = await client.call({ ...call, label });
      if (takers.includes(operation.id) && isUnknown(exchange)) await tryToResolve(client, operation);
      if (statusOf(exchange) !== 409 || label === 'valid call') return;
    }
  },
  evaluate: ({ operation, exchanges }) => {
    const exchange = exchanges.findLast(({ role }) => role === 'control');
    if (exchange === undefined) return inconclusive('no valid call was made');
    const status = statusOf(exchange);
    if (status === 200) return pass('answered with 200');
    if (status === 401 || status === 403) {
      return inconclusive(
        `the call was refused with ${status}, which the checks of keys and scopes evaluate`,
      );
    }
    if (status === 409 && operation.method === 'POST' && !exchange.label.endsWith(undisturbed)) {
      return {
        ...inconclusive('answered 409, which a state that other calls brought about may explain'),
        transient: true,
      };
    }
    const guessed = Object.entries(exchange.request.values).filter(
      ([, { source }]) => source === 'discovered',
    );
    if (guessed.length > 0 && status === 404) {
      const [name] = guessed[0] ?? [''];
      return inconclusive(
        `answered 404 for a ${name} that was only found, not given`,
        name === 'sessionId'
          ? 'captures: { sessionId: /<pointer to the id in the answer to a create> }'
          : `parameters: { ${operation.id}: { ${name}: <one that exists> } }`,
      );
    }
    return violatedOr(
      [
        {
          statement: `a valid call is answered at ${operation.method} ${operation.path}`,
          expected: '200',
          actual: describeAnswer(exchange),
          exchange,
        },
      ],
      () => pass(''),
    );
  },
};

export default check;

/** Whether it is the time that makes the difference: one of several replicas refuses now and then, not each time. */
async function isRefusedAtOnce(client: CaseClient, operation: Operation): Promise<boolean> {
  for (const between of callsBetween) {
    const value: Partial<CallSpec> = operation.pathParameters.includes('sessionId')
      ? { parameters: { sessionId: String(await client.capture('sessionId')) } }
      : { body: jsonBody(await client.validBody()) };
    await callSomethingElse(client, between);
    if (!isUnknown(await client.call({ role: 'witness', label: 'valid call at once', ...value })))
      return false;
  }
  return true;
}

async function tryToResolve(client: CaseClient, operation: Operation): Promise<void> {
  for (const propagationDelayMs of propagationTimes) {
    const label = `valid call, ${propagationDelayMs} ms after what it rests on`;
    const exchange = await client.call({ role: 'control', label, propagationDelayMs });
    if (statusOf(exchange) === 200 && (await isRefusedAtOnce(client, operation)))
      client.propagationTook(propagationDelayMs);
    if (!isUnknown(exchange)) return;
  }
}
