import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { packageRoot } from '../../spec/package-root.ts';
import { type Job, notShown, type Proof } from './prove.ts';

/** Services that one thread tests at once: those that keep it busy, and those that mostly wait. */
const atOnce = { busy: 4, waiting: 8 };

/** Tasks per processor beyond which one thread tests one service at once: with more, none of them would end in time. */
const mostLoad = 4;

const lookMs = 1_000;

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
            Array.from({ length: queue.atOnce }, async (_, place) => {
              for (;;) {
                while (place > 0 && queue.jobs.length > 0 && isOverloaded()) await sleep(lookMs);
                const job = queue.jobs.shift();
                if (job === undefined) return;
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

function isOverloaded(): boolean {
  const [lastMinute = 0] = loadavg();
  return lastMinute > mostLoad * availableParallelism();
}

/** A thread that carries out jobs, any number at a time. */
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
      const deadline = setTimeout(() => {
        const shown = notShown(`did not end within ${jobDeadlineMs / 1000} s`);
        resolve({ ...job, ...shown, durationMs: jobDeadlineMs });
      }, jobDeadlineMs);
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

function keyOf({ kind, name, seed, check }: Pick<Job, 'kind' | 'name' | 'seed' | 'check'>): string {
  return `${kind} ${name} ${seed} ${check}`;
}
