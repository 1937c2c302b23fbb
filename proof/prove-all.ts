import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Job } from './job.ts';
import type { Proof } from './prove.ts';

/** Services that one thread judges at once; most of a run is waiting for answers. */
const perThread = 10;

/** Proves all jobs on as many threads as there are processors; `onProof` is called with each as it is done. */
export async function proveAll(
  jobs: readonly Job[],
  onProof: (proof: Proof) => void,
): Promise<readonly Proof[]> {
  const proofs: Proof[] = [];
  const waiting = [...jobs];
  const threads = Math.max(1, Math.min(availableParallelism(), Math.ceil(jobs.length / perThread)));
  await Promise.all(
    Array.from({ length: threads }, async () => {
      const worker = new Worker(new URL('./worker.js', import.meta.url));
      try {
        await new Promise<void>((resolve, reject) => {
          let active = 0;
          const next = (): void => {
            const job = waiting.shift();
            if (job !== undefined) {
              active += 1;
              worker.postMessage(job);
            } else if (active === 0) resolve();
          };
          worker.on('message', (proof: Proof) => {
            active -= 1;
            proofs.push(proof);
            onProof(proof);
            next();
          });
          worker.on('error', reject);
          for (let at = 0; at < perThread; at += 1) next();
        });
      } finally {
        await worker.terminate();
      }
    }),
  );
  return proofs;
}
