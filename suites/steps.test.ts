import { afterEach, expect, test } from 'vitest';
import { startService } from '../fixtures/reference-service/start-service.ts';
import { loadCatalogue } from '../harness/checks/catalogue.ts';
import { Run } from '../harness/engine/run.ts';
import { runSchedule } from '../harness/engine/schedule.ts';
import type { Exchange } from '../harness/model/exchange.ts';
import { plannedRequests } from '../harness/sampling/step-plan.ts';
import { defaultOptions } from '../harness/target/default-options.ts';
import { targetFromObject } from '../harness/target/target-from-object.ts';

const fuzzRuns = 6;
const { profile } = defaultOptions;
const open: Array<() => Promise<void>> = [];

afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** All cases of checks with steps, and what they sent. */
async function run(): Promise<{ readonly run: Run; readonly sent: readonly Exchange[] }> {
  const service = await startService();
  open.push(() => service.close());
  const { contract } = await loadCatalogue();
  const target = targetFromObject(service.target, 'test', contract);
  const run = await Run.open({ target, options: { ...defaultOptions, fuzzRuns } });
  open.push(() => run.close());
  const sent: Exchange[] = [];
  run.subscribe((exchange) => sent.push(exchange));
  await runSchedule(run, ({ check }) => check.steps !== undefined);
  return { run, sent };
}

function countsOf(sent: readonly Exchange[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { case: sender, attempt, step } of sent) {
    if (step === undefined) continue;
    const key = `${sender.operation}/${sender.check}/${attempt}/${step}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

test('a conforming service gets what the plan says, each request by a step', async () => {
  const { run: made, sent } = await run();
  const counts = countsOf(sent);
  const excess = made.plan.active.flatMap(({ id, check, operation }) =>
    Object.values(check.steps ?? {}).flatMap((step) => {
      const count = counts.get(`${id}/1/${step.step}`) ?? 0;
      const planned = plannedRequests(step, operation, { profile, fuzzRuns });
      return count > planned ? [`${id} ${step.step}: ${count} for ${planned}`] : [];
    }),
  );
  expect(excess).toEqual([]);
  const withSteps = new Set(made.plan.active.flatMap(({ id, check }) => (check.steps ? [id] : [])));
  const stray = sent.filter(
    ({ case: sender, role, step }) =>
      step === undefined &&
      !['setup', 'cleanup'].includes(role) &&
      withSteps.has(`${sender.operation}/${sender.check}`),
  );
  expect(stray.map(({ id, role, label }) => `${id} ${role} ${label}`)).toEqual([]);
  expect(counts.size).toBeGreaterThan(50);
});
