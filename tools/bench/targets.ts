import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TargetDescription } from '../../fixtures/reference-service/describe-target.ts';
import { startService } from '../../fixtures/reference-service/start-service.ts';
import type { Target } from '../../harness/model/target.ts';
import { targetFromObject } from '../../harness/target/target-description.ts';
import { loadContract } from '../../spec/contract.ts';
import { packageRoot } from '../../spec/package-root.ts';

/** Two reference services. */
export interface Targets {
  /** In another process, so that it does not share a core with the measured code. */
  readonly separate: Target;
  /** In this process, like that of a run without a target. */
  readonly embedded: Target;
  close(): Promise<void>;
}

/** Starts the targets. */
export async function startTargets(): Promise<Targets> {
  const child = fork(join(packageRoot, 'dist/tools/bench/target-process.js'), { execArgv: [] });
  const [description] = (await once(child, 'message')) as [TargetDescription];
  const embedded = await startService();
  const contract = await loadContract();
  const target = (one: TargetDescription): Target =>
    targetFromObject(one, 'the target of the benchmark', contract);
  return {
    separate: target(description),
    embedded: target(embedded.target),
    close: async () => {
      await embedded.close();
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
