import { expect, test } from 'vitest';
import { startService } from '../fixtures/reference-service/start-service.ts';
import { loadCatalogue } from '../harness/checks/catalogue.ts';
import { Run } from '../harness/engine/run.ts';
import { runSchedule } from '../harness/engine/schedule.ts';
import type { Exchange } from '../harness/model/exchange.ts';
import { defaultOptions } from '../harness/target/default-options.ts';
import { targetFromObject } from '../harness/target/target-from-object.ts';
import { unannounced } from './step-counts-for-tests.ts';

const fuzzRuns = 6;

// The smoke run of the proof counts the steps that a conforming service is sent.
test('no attempt sends a step more often than it announces to a service that breaks now and then', async () => {
  const service = await startService({
    alter: [
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
  });
  try {
    const { contract } = await loadCatalogue();
    const target = targetFromObject(service.target, 'test', contract);
    const checks = ['auth/*', 'scope/*', 'request/*', 'login/*'];
    const run = await Run.open({ target, options: { ...defaultOptions, fuzzRuns, checks } });
    const sent: Exchange[] = [];
    run.subscribe((exchange) => sent.push(exchange));
    try {
      await runSchedule(run, ({ check }) => check.steps !== undefined);
    } finally {
      await run.close();
    }
    // An unexpected answer has follow-ups.
    const { excess, stray, steps } = await unannounced(
      sent,
      fuzzRuns,
      ({ expects }) => expects !== undefined,
    );
    expect({ excess, stray }).toEqual({ excess: [], stray: [] });
    expect(steps).toBeGreaterThan(50);
  } finally {
    await service.close();
  }
});
