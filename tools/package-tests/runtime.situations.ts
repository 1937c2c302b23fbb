import { join } from 'node:path';
import { runtime } from './node-runtime.ts';
import type { Situation } from './situation.ts';

/** The versions of Node that the package promises to run on. */
export const runtimeSituations: readonly Situation[] = [20, 22, 24, 26].map((major) => ({
  name: `Node ${major}`,
  holds: async (sandbox) => {
    const node = await runtime(sandbox, major);
    const { stdout } = await sandbox.run(node, ['--version'], sandbox.folder);
    if (!stdout.startsWith(`v${major}.`)) throw new Error(`it is ${stdout.trim()}`);
    const main = join(
      await sandbox.project(),
      'node_modules',
      'commerce-conformance',
      'dist',
      'cli',
      'main.js',
    );
    await sandbox.evaluates(node, [main], await sandbox.emptyFolder(`on-node-${major}`));
    return stdout.trim();
  },
}));
