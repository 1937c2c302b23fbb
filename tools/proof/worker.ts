import { parentPort } from 'node:worker_threads';
import { allFaults } from '../../fixtures/faults/all-faults.ts';
import { allVariants } from '../../fixtures/variants/all-variants.ts';
import { type Job, notShown, type Proof, proveFault, proveVariant, type Shown } from './prove.ts';

/** Carries out jobs, several at a time. */
parentPort?.on('message', async (job: Job) => {
  const started = performance.now();
  const shown = await prove(job).catch((error: Error) =>
    notShown(`could not be proven: ${error.stack ?? String(error)}`),
  );
  const proof: Proof = { ...job, ...shown, durationMs: Math.round(performance.now() - started) };
  parentPort?.postMessage(proof);
});

async function prove({ kind, name, seed, profile, verifies, check }: Job): Promise<Shown> {
  if (kind === 'fault') return proveFault(named(allFaults, name), seed, profile);
  return proveVariant(named(allVariants, name), seed, profile, verifies, check);
}

function named<T extends { readonly name: string }>(all: readonly T[], name: string): T {
  const found = all.find((one) => one.name === name);
  if (found === undefined) throw new Error(`nothing is called ${name}`);
  return found;
}
