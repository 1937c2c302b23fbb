import type { TestProject } from 'vitest/node';
import type {} from '../harness/engine/current-run.ts';
import { loadContract } from '../spec/contract.ts';
import { readSettings } from './options/target-flags.ts';

/**
 * For `vitest --project conformance`: the target file that CONFORMANCE_TARGET names, or the base URL in
 * CONFORMANCE_BASE_URL, else the embedded service.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { CONFORMANCE_TARGET: target, CONFORMANCE_BASE_URL: baseUrl } = process.env;
  const settings = await readSettings(
    { ...(target === undefined ? {} : { target }), ...(baseUrl === undefined ? {} : { baseUrl }) },
    await loadContract(),
  );
  const { target: described, options, document } = settings;
  project.provide('run', { target: described, options, ...(document && { document }) });
  project.provide('pulses', '');
  return settings.release;
}
