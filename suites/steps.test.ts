import { afterEach, expect, test } from 'vitest';
import type { ServiceParts } from '../fixtures/reference-service/service-parts.ts';
import { startService } from '../fixtures/reference-service/start-service.ts';
import { loadCatalogue } from '../harness/checks/catalogue.ts';
import { countOf } from '../harness/checks/step.ts';
import { Run } from '../harness/engine/run.ts';
import { runSchedule } from '../harness/engine/schedule.ts';
import type { Exchange } from '../harness/model/exchange.ts';
import { defaultOptions } from '../harness/target/default-options.ts';
import { targetFromObject } from '../harness/target/target-from-object.ts';

const fuzzRuns = 6;
const open: Array<() => Promise<void>> = [];

afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** All cases of checks with steps, and what they sent. */
async function run(
  alter: ReadonlyArray<(parts: ServiceParts) => void>,
  checks: readonly string[],
): Promise<{ readonly run: Run; readonly sent: readonly Exchange[] }> {
  const service = await startService({ alter: [...alter] });
  open.push(() => service.close());
  const { contract } = await loadCatalogue();
  const target = targetFromObject(service.target, 'test', contract);
  const run = await Run.open({ target, options: { ...defaultOptions, fuzzRuns, checks } });
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

test.each<[string, ReadonlyArray<(parts: ServiceParts) => void>, readonly string[]]>([
  ['a conforming service', [], []],
  [
    'a service that breaks now and then',
    [
      (parts) => {
        const { admit } = parts;
        let calls = 0;
        parts.admit = (call) => {
          calls += 1;
          if (calls % 7 === 0) throw new Error('broken');
          admit(call);
        };
      },
    ],
    ['auth/*', 'scope/*', 'request/*', 'login/*'],
  ],
])('no attempt sends a step more often than it announces to %s', async (_what, alter, checks) => {
  const { run: made, sent } = await run(alter, checks);
  const counts = countsOf(sent);
  for (const { id, check, operation } of made.plan.active) {
    for (const { step, most, expects } of Object.values(check.steps ?? {})) {
      // An unexpected answer has follow-ups.
      if (expects !== undefined && alter.length > 0) continue;
      for (const attempt of [1, 2, 3]) {
        const count = counts.get(`${id}/${attempt}/${step}`) ?? 0;
        expect(count, `${id}, attempt ${attempt}, ${step}`).toBeLessThanOrEqual(
          countOf(most, operation, fuzzRuns),
        );
      }
    }
  }
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
