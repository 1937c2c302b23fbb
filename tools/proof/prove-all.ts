import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { packageRoot } from '../../spec/package-root.ts';
import type { Job } from './job.ts';
import type { Proof } from './prove.ts';

/** Services that one thread tests at once: those that keep it busy, and those that mostly wait. */
const atOnce = { busy: 4, waiting: 24 };

/** Milliseconds after which a job counts as hanging. */
const jobDeadlineMs = 240_000;

/** Proves all jobs on as many threads as there are processors; `onProof` is called with each as it is done. */
export async function proveAll(
  jobs: readonly Job[],
  onProof: (proof: Proof) => void,
): Promise<readonly Proof[]> {
  const proofs: Proof[] = [];
  const queues = [
    { jobs: jobs.filter(({ waits }) => waits), atOnce: atOnce.waiting },
    { jobs: jobs.filter(({ waits }) => !waits), atOnce: atOnce.busy },
  ];
  await Promise.all(
    Array.from({ length: availableParallelism() }, async () => {
      const thread = new ProofThread();
      try {
        await Promise.all(
          queues.flatMap((queue) =>
            Array.from({ length: queue.atOnce }, async () => {
              for (let job = queue.jobs.shift(); job !== undefined; job = queue.jobs.shift()) {
                const proof = await thread.prove(job);
                proofs.push(proof);
                onProof(proof);
              }
            }),
          ),
        );
      } finally {
        await thread.end();
      }
    }),
  );
  return proofs;
}

/** A thread that proves what it is told to, any number at a time. */
class ProofThread {
  readonly #worker = new Worker(join(packageRoot, 'dist', 'tools', 'proof', 'worker.js'));
  readonly #waiting = new Map<string, (proof: Proof) => void>();

  constructor() {
    this.#worker.on('message', (proof: Proof) => this.#waiting.get(keyOf(proof))?.(proof));
    this.#worker.on('error', (error: Error) => {
      throw error;
    });
  }

  prove(job: Job): Promise<Proof> {
    return new Promise((resolve) => {
      const deadline = setTimeout(() => resolve(unfinished(job)), jobDeadlineMs);
      this.#waiting.set(keyOf(job), (proof) => {
        clearTimeout(deadline);
        resolve(proof);
      });
      this.#worker.postMessage(job);
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** What is said of a job that never ends, so that the others still count. */
function unfinished({ kind, name, seed, check }: Job): Proof {
  const objections = [`did not end within ${jobDeadlineMs / 1000} s`];
  const nothing = {
    isMarked: false,
    isFound: false,
    isReported: false,
    requests: 0,
    reductions: 0,
    durationMs: jobDeadlineMs,
  };
  return { kind, name, seed, ...(check !== undefined && { check }), objections, ...nothing };
}

function keyOf({ kind, name, seed, check }: Pick<Job, 'kind' | 'name' | 'seed' | 'check'>): string {
  return `${kind} ${name} ${seed} ${check}`;
}
