import { parentPort } from 'node:worker_threads';
import { allFaults } from '../../fixtures/faults/all-faults.ts';
import { allVariants } from '../../fixtures/variants/all-variants.ts';
import type { Job } from './job.ts';
import { proveFault, proveVariant } from './prove.ts';

/** Proves what it is told to, several at a time. */
parentPort?.on('message', async ({ kind, name, seed, profile, verifies, check }: Job) => {
  try {
    if (kind === 'fault') {
      const fault = allFaults.find((one) => one.name === name);
      if (fault !== undefined) parentPort?.postMessage(await proveFault(fault, seed, profile));
    } else {
      const variant = allVariants.find((one) => one.name === name);
      if (variant !== undefined)
        parentPort?.postMessage(await proveVariant(variant, seed, profile, verifies, check));
    }
  } catch (error) {
    const objections = [`could not be proven: ${(error as Error).stack ?? String(error)}`];
    parentPort?.postMessage({
      kind,
      name,
      seed,
      ...(check !== undefined && { check }),
      isMarked: false,
      isFound: false,
      isReported: false,
      objections,
      requests: 0,
      reductions: 0,
      durationMs: 0,
    });
  }
});
