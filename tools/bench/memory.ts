import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { packageRoot } from '../../spec/package-root.ts';

/** What a process holds after so many exchanges. */
export interface Footprint {
  readonly exchanges: number;
  readonly heapMb: number;
  readonly rssMb: number;
  /** The most that was ever resident. */
  readonly peakRssMb: number;
  /** Open file descriptors; undefined where the system does not tell. */
  readonly descriptors: number | undefined;
  /** What keeps the event loop alive. */
  readonly handles: number;
  readonly seconds: number;
}

/** Measured in a process of its own, which has done nothing else before. */
export async function measureMemory(concurrency: number): Promise<readonly Footprint[]> {
  const child = fork(
    join(packageRoot, 'dist', 'tools', 'bench', 'memory-process.js'),
    [String(concurrency)],
    { execArgv: ['--expose-gc'] },
  );
  const footprints: Footprint[] = [];
  child.on('message', (footprint: Footprint) => footprints.push(footprint));
  await once(child, 'exit');
  return footprints;
}
