import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { runConformance } from '../../api/run-conformance.ts';
import { startService } from '../../fixtures/reference-service/start-service.ts';
import { readFlags } from '../read-flags.ts';

/** The state of this process between two runs. */
interface Sample {
  readonly run: number;
  readonly heapMb: number;
  readonly residentMb: number;
  readonly handles: number;
  readonly temporary: number;
}

const { values } = readFlags({
  options: { runs: { type: 'string', default: '200' }, every: { type: 'string', default: '20' } },
});
/** Megabytes by which the heap may grow between the first quarter and the end. */
const mostGrowthMb = 8;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const service = await startService();
const samples: Sample[] = [];
try {
  for (let run = 1; run <= Number(values.runs); run += 1) {
    const { report } = await runConformance({
      target: service.target,
      options: { operation: ['getPublicProduct'], check: ['success/*', 'surface/*'] },
    });
    if (report.summary.pass === 0) throw new Error(`run ${run} tested nothing: ${report.reasons.join('; ')}`);
    if (run % Number(values.every) === 0) {
      const taken = await sample(run);
      samples.push(taken);
      process.stdout.write(`${JSON.stringify(taken)}\n`);
    }
  }
} finally {
  await service.close();
}

const early = samples[Math.floor(samples.length / 4)];
const last = samples.at(-1);
if (early === undefined || last === undefined) throw new Error('too few runs');
const isFlat =
  last.heapMb - early.heapMb <= mostGrowthMb &&
  last.handles <= early.handles &&
  last.temporary <= early.temporary;
process.stdout.write(
  `${isFlat ? 'flat' : 'growing'}: heap ${early.heapMb} to ${last.heapMb} MB, resident ${early.residentMb} to ${last.residentMb} MB, ` +
    `handles ${early.handles} to ${last.handles}, temporary files ${early.temporary} to ${last.temporary}, from run ${early.run} to run ${last.run}\n`,
);
process.exitCode = isFlat ? 0 : 1;

async function sample(run: number): Promise<Sample> {
  // Ends of connections and threads come a moment after a run.
  await new Promise((resolve) => setTimeout(resolve, 200));
  collectGarbage();
  const { heapUsed, rss } = process.memoryUsage();
  const megabytes = (bytes: number): number => Math.round(bytes / 1024 ** 2);
  const names = await readdir(tmpdir());
  return {
    run,
    heapMb: megabytes(heapUsed),
    residentMb: megabytes(rss),
    handles: process.getActiveResourcesInfo().length,
    temporary: names.filter((name) => name.startsWith(`commerce-conformance-${process.pid}-`)).length,
  };
}
