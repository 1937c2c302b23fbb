import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TargetDescription } from '../../fixtures/reference-service/describe-target.ts';
import { startService } from '../../fixtures/reference-service/start-service.ts';
import type { Target } from '../../harness/model/target.ts';
import { targetFromObject } from '../../harness/target/target-from-object.ts';
import { loadContract } from '../../spec/contract.ts';
import { packageRoot } from '../../spec/package-root.ts';

/** What the process of the targets says once they listen. */
export interface TargetAddresses {
  /** The reference service. */
  readonly service: TargetDescription;
  /** Base URL of a server of node:http that answers one small JSON object to whatever is asked. */
  readonly plain: string;
}

/** The services that all is measured against, two of them in another process. */
export interface Targets {
  readonly service: Target;
  readonly plain: Target;
  /** The reference service in this process, as a run without a target has it. */
  readonly embedded: Target;
  close(): Promise<void>;
}

/** Starts the targets; all are described as the reference service is, the plain one takes whatever it is sent. */
export async function startTargets(): Promise<Targets> {
  const child = fork(join(packageRoot, 'dist', 'tools', 'bench', 'target-process.js'), {
    execArgv: [],
  });
  const [addresses] = (await once(child, 'message')) as [TargetAddresses];
  const contract = await loadContract();
  const embedded = await startService();
  const targetAt = (baseUrl: string): Target =>
    targetFromObject({ ...addresses.service, baseUrl }, 'the target of the benchmark', contract);
  return {
    service: targetAt(addresses.service.baseUrl),
    plain: targetAt(addresses.plain),
    embedded: targetFromObject(embedded.target, 'the target of the benchmark', contract),
    close: async () => {
      await embedded.close();
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
