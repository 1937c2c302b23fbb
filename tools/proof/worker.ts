import { parentPort } from 'node:worker_threads';
import { allFaults } from '../../fixtures/faults/all-faults.ts';
import { allVariants } from '../../fixtures/variants/all-variants.ts';
import { failedProof, type Job, type Proof, proveFault, proveVariant } from './prove.ts';

/** Carries out jobs, several at a time. */
parentPort?.on('message', async (job: Job) => {
  try {
    parentPort?.postMessage(await prove(job));
  } catch (error) {
    const why = (error as Error).stack ?? String(error);
    parentPort?.postMessage(failedProof(job, `could not be proven: ${why}`));
  }
});

function prove({ kind, name, seed, profile, verifies, check }: Job): Promise<Proof> {
  if (kind === 'fault') return proveFault(named(allFaults, name), seed, profile);
  return proveVariant(named(allVariants, name), seed, profile, verifies, check);
}

function named<T extends { readonly name: string }>(all: readonly T[], name: string): T {
  const found = all.find((one) => one.name === name);
  if (found === undefined) throw new Error(`nothing is called ${name}`);
  return found;
}
