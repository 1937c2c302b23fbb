import { afterEach, expect, it } from 'vitest';
import { allVariants } from '../../fixtures/variants/all-variants.ts';
import { startVariant } from '../../fixtures/variants/start-variant.ts';
import { loadCatalogue } from '../../harness/checks/catalogue.ts';
import { CaseClient } from '../../harness/requests/case-client.ts';
import { openContext } from '../../harness/requests/run-context-for-tests.ts';
import { targetFromObject } from '../../harness/target/target-from-object.ts';
import type { Operation } from '../../spec/operation.ts';
import { parseSequence } from './call-sequence.ts';
import { SequenceRunner } from './sequence-runner.ts';
import { SessionClient } from './session-client.ts';
import { wrongAnswers } from './wrong-answers.ts';

const open: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function clientOn(
  name: string,
): Promise<{ readonly client: CaseClient; readonly operation: Operation }> {
  const variant = allVariants.find((one) => one.name === name) ?? expect.fail(`no variant ${name}`);
  const service = await startVariant(variant);
  open.push(() => service.close());
  const { contract } = await loadCatalogue();
  const target = targetFromObject(service.target, 'test', contract);
  const context = await openContext(service.baseUrl, { target });
  open.push(() => context.client.close());
  const operation = contract.withRole('ends-session') ?? expect.fail('no operation ends sessions');
  return { operation, client: new CaseClient(context, 'session/test', operation, 1) };
}

const createAndCancel = parseSequence('create A, cancel A');

it('retries the cancel of a session that is visible only after a delay, and waits for that delay from then on', async () => {
  const { client, operation } = await clientOn('what-is-issued-is-known-after-300-ms');
  const runner = new SequenceRunner(client, new SessionClient(client));
  await runner.send(createAndCancel);
  await runner.send(createAndCancel);
  const answers = client.exchanges.map(({ label, response }) => `${label} ${response?.status}`);
  const first = answers.slice(0, answers.lastIndexOf('create A 200'));
  expect([...new Set(first)]).toEqual(['create A 200', 'cancel A 404', 'cancel A 200']);
  expect(answers.slice(first.length)).toEqual(['create A 200', 'cancel A 200']);
  expect(wrongAnswers({ exchanges: client.exchanges, operation })).toEqual([]);
});

it('cancels a session after it created another one', async () => {
  const { client, operation } = await clientOn('what-is-issued-is-known-after-300-ms');
  await new SequenceRunner(client, new SessionClient(client)).send(
    parseSequence('create A, create B, cancel A, cancel B'),
  );
  expect(client.exchanges.filter(({ response }) => response?.status === 200)).toHaveLength(4);
  expect(wrongAnswers({ exchanges: client.exchanges, operation })).toEqual([]);
});
