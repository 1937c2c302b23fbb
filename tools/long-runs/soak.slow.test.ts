import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { runConformance as RunConformance } from '../../api/run-conformance.ts';
import { startService } from '../../fixtures/reference-service/start-service.ts';

/** `npm run test:soak` has 200 of them. */
const runs = Number(process.env['RUNS'] ?? 20);
/** Megabytes by which the heap may grow between the first quarter and the end. */
const mostGrowthMb = 8;

test('heap, handles and temporary files stay flat over many runs in one process', {
  timeout: 3_600_000,
}, async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  // As others have it: bundled, with each run in a thread.
  const built: string = '../../dist/api/index.js';
  const { runConformance } = (await import(built)) as { runConformance: typeof RunConformance };
  const service = await startService();
  const sample = async () => {
    // Connections and threads end a moment after a run.
    await wait(200);
    collectGarbage();
    const names = await readdir(tmpdir());
    return {
      heapMb: process.memoryUsage().heapUsed / 1024 ** 2,
      handles: process.getActiveResourcesInfo().length,
      temporary: names.filter((name) => name.startsWith(`commerce-conformance-${process.pid}-`)).length,
    };
  };
  try {
    let early: Awaited<ReturnType<typeof sample>> | undefined;
    for (let run = 1; run <= runs; run += 1) {
      const { report } = await runConformance({
        target: service.target,
        options: { operation: ['getPublicProduct'], check: ['success/*', 'surface/*'] },
      });
      expect(report.summary.pass, report.reasons.join('; ')).toBeGreaterThan(0);
      if (run === Math.ceil(runs / 4)) early = await sample();
    }
    const last = await sample();
    expect(last.heapMb).toBeLessThanOrEqual((early?.heapMb ?? 0) + mostGrowthMb);
    expect(last.handles).toBeLessThanOrEqual(early?.handles ?? 0);
    expect(last.temporary).toBeLessThanOrEqual(early?.temporary ?? 0);
  } finally {
    await service.close();
  }
});
