import { afterEach, expect, it } from 'vitest';
import { allVariants } from '../../fixtures/variants/all-variants.ts';
import { startVariant } from '../../fixtures/variants/start-variant.ts';
import { loadCatalogue } from '../../harness/checks/catalogue.ts';
import { CaseClient } from '../../harness/requests/case-client.ts';
import { openContext } from '../../harness/requests/run-context-for-tests.ts';
import { targetFromObject } from '../../harness/target/target-from-object.ts';
import type { Order } from './order-steps.ts';
import { OrderSender } from './send-order.ts';
import { wrongAnswers } from './wrong-answers.ts';

const open: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function callerOn(name: string): Promise<CaseClient> {
  const variant = allVariants.find((one) => one.name === name) ?? expect.fail(`no variant ${name}`);
  const service = await startVariant(variant);
  open.push(() => service.close());
  const { contract } = await loadCatalogue();
  const target = targetFromObject(service.target, 'test', contract);
  const context = await openContext(service.baseUrl, { target });
  open.push(() => context.client.close());
  return new CaseClient(context, 'session/test', context.operation('cancelHostedCheckoutSession'), 1);
}

const createAndCancel: Order = [
  { act: 'create', session: 'A' },
  { act: 'cancel', session: 'A' },
];

it('cancels a session again that is known only after a moment, and gives the next ones that moment', async () => {
  const client = await callerOn('what-is-issued-is-known-after-300-ms');
  const sender = new OrderSender(client);
  await sender.send(createAndCancel, 'probe');
  await sender.send(createAndCancel, 'probe');
  expect(client.exchanges.map(({ label, response }) => [label, response?.status])).toEqual([
    ['create A', 200],
    ['cancel A', 404],
    ['cancel A', 200],
    ['create A', 200],
    ['cancel A', 200],
  ]);
  expect(wrongAnswers(client.exchanges)).toEqual([]);
});
