import { afterEach, describe, expect, test } from 'vitest';
import { ids } from '../../../spec/operation-ids-for-tests.ts';
import { clientOf, closeAll, contextOf, probe, serve } from '../../calls/case-client-for-tests.ts';
import type { TestContext } from '../../calls/run-context-for-tests.ts';
import { activeCase } from '../run/cases-for-tests.ts';
import { type Recomputed, recomputeRequests } from './recompute-requests.ts';

afterEach(closeAll);

const labels = Array.from({ length: 7 }, (_, at) => `call ${at}`);

/** Sends all calls at the same time, and computes again what was recorded. */
async function recomputed(context: TestContext, sent: readonly string[] = labels): Promise<Recomputed> {
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
  const sender = { check: planned.check.id, operation: operation.id };
  const attempt = { case: sender, attempt: 1, after: 0, judged: '', unkept: 0, leftOut: [] };
  return recomputeRequests(context, { planned, attempt, exchanges: context.recorded, shared: [] });
}

describe('calls at the same time are computed again', () => {
  test('as they were sent', async () => {
    const { server } = await serve(() => undefined);
    expect(await recomputed(await contextOf(server.origin))).toMatchObject({ differences: [], confirmed: 7 });
  });

  test('with the repetitions of those that were throttled', async () => {
    const { server } = await serve((_arrival, count) => (count <= 10 ? { status: 429 } : {}));
    expect(await recomputed(await contextOf(server.origin))).toMatchObject({
      differences: [],
      confirmed: 17,
    });
  });

  test('but for one that the check does not send', async () => {
    const { server } = await serve(() => undefined);
    const { differences } = await recomputed(await contextOf(server.origin), [...labels, 'one too many']);
    expect(differences).toEqual([expect.stringMatching(/: the plan requires no such request$/)]);
  });
});
