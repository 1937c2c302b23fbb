import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

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
  const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
  const child = fork(
    fileURLToPath(new URL(`./memory-process${extension}`, import.meta.url)),
    [String(concurrency)],
    { execArgv: ['--expose-gc'] },
  );
  const footprints: Footprint[] = [];
  child.on('message', (footprint: Footprint) => footprints.push(footprint));
  await once(child, 'exit');
  return footprints;
}
