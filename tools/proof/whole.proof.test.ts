import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { allFaults } from '../../fixtures/faults/all-faults.ts';
import { allVariants } from '../../fixtures/variants/all-variants.ts';
import { packageRoot } from '../../spec/package-root.ts';
import { sampleFaults } from './sample-faults.ts';

const run = promisify(execFile);

/** At most so many faults of each check; all where it is left out. */
const sample = process.env['PROOF_SAMPLE'];

test('every fault is found at its place and nowhere else, and every conforming variant passes and is verified', async () => {
  // A proof that fails says on its standard output what does not hold, which is all that is of interest.
  const { stdout } = await run(process.execPath, [
    join(packageRoot, 'dist', 'tools', 'proof', 'main.js'),
    '--verify',
    ...(sample === undefined ? [] : ['--sample', sample]),
  ]).catch((failed: { readonly stdout: string }) => failed);
  const proven = sample === undefined ? allFaults : sampleFaults(allFaults, Number(sample), 1);
  const faults = proven.filter(({ missed }) => missed === undefined).length;
  const variants = allVariants.filter(({ accused }) => accused === undefined).length;
  expect(stdout).toMatch(
    new RegExp(`^${faults} of ${faults} faults .* ${variants} of ${variants} conforming`),
  );
}, 3_600_000);
