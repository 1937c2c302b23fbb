import { afterEach, expect, it, vi } from 'vitest';
import { wrapOperation } from '../../fixtures/mutators/change-operations.ts';
import type { Json } from '../../fixtures/reference-service/json.ts';
import { Problem } from '../../fixtures/reference-service/problem.ts';
import type { ServiceParts } from '../../fixtures/reference-service/service-parts.ts';
import { startService } from '../../fixtures/reference-service/start-service.ts';
import { CaseClient } from '../../harness/calls/case-client.ts';
import { PropagationDelay } from '../../harness/calls/propagation-delay.ts';
import { openContext } from '../../harness/calls/run-context-for-tests.ts';
import { loadCatalogue } from '../../harness/checks/catalogue.ts';
import { targetFromObject } from '../../harness/target/target-description.ts';
import type { Operation, OperationRole } from '../../spec/operation.ts';
import { SessionClient, waitMs } from './session-client.ts';
import { SessionEvidence } from './session-evidence.ts';
import { walkContradictions } from './walk-contradictions.ts';

const open: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** Clients of a service with a deviation, and what they pause. */
async function clientsOf(
  alteration: (parts: ServiceParts) => void,
  role: OperationRole = 'ends-session',
): Promise<{
  readonly client: CaseClient;
  another(): CaseClient;
  readonly operation: Operation;
  readonly pauses: readonly number[];
}> {
  const service = await startService({ alter: [alteration] });
  open.push(() => service.close());
  const { contract } = await loadCatalogue();
  const target = targetFromObject(service.target, 'test', contract);
  const pauses: number[] = [];
  const sleep = async (ms: number): Promise<void> => void pauses.push(ms);
  const propagationDelay = new PropagationDelay(sleep);
  const context = await openContext(service.baseUrl, { target, context: { sleep, propagationDelay } });
  open.push(() => context.client.close());
  const operation = contract.withRole(role) ?? expect.fail(`no operation ${role}`);
  const another = (): CaseClient => new CaseClient(context, 'session/test', operation, 1);
  return { operation, another, client: another(), pauses };
}

/** Does not find the sessions of the first two cancels. */
function beLate(parts: ServiceParts): void {
  let early = 2;
  wrapOperation(parts, 'cancelHostedCheckoutSession', (_call, proceed) => {
    early -= 1;
    if (early >= 0) throw new Problem(404, 'There is no such session.');
    return proceed();
  });
}

const step = { step: 'call', role: 'probe', label: 'call of a walk' } as const;

async function send(client: CaseClient, walk: string, sessions = new SessionClient(client)): Promise<void> {
  await sessions.walk(walk, step);
  await sessions.cancelOpen();
}

it('lets a later call take a session where none could be read', async () => {
  const { client } = await clientsOf((parts) => {
    wrapOperation(parts, 'getHostedCheckoutSession', () => {
      throw new Problem(403, 'The scopes of another key are remembered.');
    });
  }, 'reads-session');
  await new SessionClient(client).walk('create A, read A', step);
  const read = await client.call({ step: 'readCaptured', role: 'witness', label: 'reads the captured one' });
  expect(read.request.values['sessionId']?.value).toMatch(/./);
});

const createAndCancel = 'create A, cancel A';

it('retries the cancel of a session that is visible only after a delay, and waits for that delay from then on', async () => {
  const { client, operation, pauses } = await clientsOf(beLate);
  const sessions = new SessionClient(client);
  await send(client, createAndCancel, sessions);
  await send(client, createAndCancel, sessions);
  const answers = client.exchanges.map(({ label, response }) => `${label} ${response?.status}`);
  expect(answers).toEqual([
    'create A 200',
    'cancel A 404',
    'cancel A 404',
    'cancel A 200',
    'create A 200',
    'cancel A 200',
  ]);
  const [first = 0, second = 0, afterCreate] = pauses;
  expect(afterCreate).toBe(2 * (first + second));
  expect(walkContradictions(new SessionEvidence({ exchanges: client.exchanges, operation }))).toEqual([]);
});

it('cancels a session after it created another one', async () => {
  const { client, operation } = await clientsOf(beLate);
  await send(client, 'create A, create B, cancel A, cancel B');
  expect(client.exchanges.filter(({ response }) => response?.status === 200)).toHaveLength(4);
  expect(walkContradictions(new SessionEvidence({ exchanges: client.exchanges, operation }))).toEqual([]);
});

it('knows that an equal create may return a session that another case has cancelled', async () => {
  const { another, operation } = await clientsOf((parts) => {
    let first: Json | undefined;
    wrapOperation(parts, 'createHostedCheckoutSession', async (_call, proceed) => {
      first ??= await proceed();
      return first;
    });
  });
  for (const client of [another(), another()]) {
    await send(client, createAndCancel);
    expect(walkContradictions(new SessionEvidence({ exchanges: client.exchanges, operation }))).toEqual([]);
  }
});

it('sends calls in their order, and those beside one another at once or a moment later', async () => {
  const sent: string[] = [];
  const { client } = await clientsOf((parts) => {
    wrapOperation(parts, 'getHostedCheckoutSession', async (_call, proceed) => {
      sent.push('begin');
      await new Promise((resolve) => setTimeout(resolve, 200));
      sent.push('end');
      return proceed();
    });
  });
  const begun: number[] = [];
  const { call } = client;
  vi.spyOn(client, 'call').mockImplementation((...given) => {
    if (given[0].label.startsWith('read')) begun.push(performance.now());
    return call.apply(client, given);
  });
  await send(client, 'create A, read A, read A, read A at the same time, read A a moment later, read A');
  const alone = ['begin', 'end'];
  expect(sent).toEqual([...alone, 'begin', 'begin', 'begin', 'end', 'end', 'end', ...alone]);
  const [, first = 0, , third = 0] = begun;
  expect(third - first).toBeGreaterThan(5);
});

it('sends calls at the same time, spellings of an id, riders and other bodies, and waits', async () => {
  const { client, pauses } = await clientsOf(() => undefined);
  await send(
    client,
    'create A, create B with another body, read A by its id percent-encoded, read B in French at the same time, cancel A without a body, wait 2 s, cancel B',
  );
  const sent = client.exchanges.map(({ label, response }) => `${label} ${response?.status}`);
  expect(sent.toSorted()).toEqual(
    [
      'create A 200',
      'create B with another body 200',
      'read A by its id percent-encoded 200',
      'read B in French at the same time 200',
      'cancel A without a body 400',
      'cancel B 200',
      'cancels an open session 200',
    ].toSorted(),
  );
  const [first, second] = client.exchanges;
  expect(second?.request.body?.text).not.toBe(first?.request.body?.text);
  const read = client.exchanges.find(({ label }) => label.startsWith('read A'));
  expect(read?.request.path).toMatch(/%[0-9A-F]{2}/);
  expect(client.exchanges.find(({ label }) => label.startsWith('read B'))?.neutral).toEqual([
    'accept-language',
  ]);
  expect(pauses).toEqual([waitMs]);
});
