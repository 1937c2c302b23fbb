import { withoutSecrets } from './current-run.ts';
import { plannedCases } from './plan.ts';
import type { RunInput } from './run.ts';
import { Run } from './run.ts';
import type { RunListener, SuiteRun } from './run-under-vitest.ts';
import { runSchedule } from './schedule.ts';

/** Does what `runUnderVitest` does, in this process and from source, which takes a fraction of the time. */
export async function runInProcess(input: RunInput, { onStart, onProgress }: RunListener): Promise<SuiteRun> {
  const run = await Run.open(input);
  try {
    onStart?.();
    const results = withoutSecrets(run, await runSchedule(run));
    const byId = new Map(results.map((result) => [`${result.operation}/${result.check}`, result]));
    const planned = new Set(plannedCases(run.plan).map(({ id }) => id));
    const closing = withoutSecrets(run, {
      preflight: await run.preflight(),
      protocol: run.protocol,
      peers: run.peers,
      died: run.died,
      slowed: run.slowed(),
      results: results.filter(({ operation, check }) => !planned.has(`${operation}/${check}`)),
      coverage: run.coverage(),
      traffic: run.traffic(),
      shapes: run.shapes(),
      evidence: run.finishEvidence(),
    });
    const lastPulse = { traffic: closing.traffic, coverage: closing.coverage };
    const failures = results.filter(({ outcome }) => outcome === 'fail').length;
    onProgress({ casesDone: planned.size, failures, pulse: lastPulse });
    return {
      results: new Map([...byId].filter(([id]) => planned.has(id))),
      closing,
      lastPulse,
      interrupted: false,
      defects: [],
    };
  } finally {
    await run.close();
  }
}
