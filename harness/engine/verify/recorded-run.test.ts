import { afterEach, describe, expect, test } from 'vitest';
import { ids } from '../../../spec/operation-ids-for-tests.ts';
import { clientOf, closeAll, contextOf, probe, serve } from '../../calls/case-client-for-tests.ts';
import type { TestContext } from '../../calls/run-context-for-tests.ts';
import type { Exchange } from '../../model/exchange.ts';
import { activeCase } from '../run/cases-for-tests.ts';
import { type RepeatedAttempt, repeatAttempt } from './recorded-run.ts';

afterEach(closeAll);

const labels = Array.from({ length: 7 }, (_, at) => `call ${at}`);

/** Sends calls at the same time, and repeats the attempt as it was recorded, evaluated by all that were answered or by `evaluated`. */
async function repeated(
  context: TestContext,
  sent: readonly string[] = labels,
  evaluated?: (answered: readonly Exchange[]) => readonly Exchange[],
): Promise<RepeatedAttempt> {
  const operation = context.operation(ids.bootstrap);
  const client = clientOf(context, operation.id);
  await Promise.all(sent.map((label) => client.call({ ...probe, label })));
  const planned = activeCase(
    {
      probe: async (again) =>
        void (await Promise.all(labels.map((label) => again.call({ ...probe, label })))),
    },
    operation,
  );
  const ofSender = { ...planned, check: { ...planned.check, id: 'area/check' } };
  const sender = { check: planned.check.id, operation: operation.id };
  const attempt = { case: sender, attempt: 1, after: 0, judged: '', unkept: 0, leftOut: [] };
  return repeatAttempt(context, {
    planned: ofSender,
    attempt,
    exchanges: context.recorded,
    shared: [],
    evaluated: evaluated?.(client.exchanges) ?? client.exchanges,
  });
}

describe('calls at the same time are repeated', () => {
  test('as they were sent', async () => {
    const { server } = await serve(() => undefined);
    expect(await repeated(await contextOf(server.origin))).toMatchObject({ differences: [], confirmed: 7 });
  });

  test('with the repetitions of those that were throttled', async () => {
    const { server } = await serve((_arrival, count) => (count <= 10 ? { status: 429 } : {}));
    expect(await repeated(await contextOf(server.origin))).toMatchObject({
      differences: [],
      confirmed: 17,
    });
  });

  test('but for one that the check does not send', async () => {
    const { server } = await serve(() => undefined);
    const { differences } = await repeated(await contextOf(server.origin), [...labels, 'one too many']);
    expect(differences).toEqual([expect.stringMatching(/: the plan requires no such request$/)]);
  });

  test('but not where one was kept from the evaluation', async () => {
    const { server } = await serve(() => undefined);
    const { differences } = await repeated(await contextOf(server.origin), labels, (all) => all.slice(1));
    expect(differences).toEqual([expect.stringContaining('was evaluated by other exchanges')]);
  });
});
