import { join } from 'node:path';
import { runtime } from './node-runtime.ts';
import type { Situation } from './situation.ts';

/** The versions of Node that the package promises to run on. */
export const runtimeSituations: readonly Situation[] = [20, 22, 24, 26].map((major) => ({
  name: `Node ${major}`,
  holds: async (context) => {
    const node = await runtime(context, major);
    const { stdout } = await context.run(node, ['--version'], context.folder);
    if (!stdout.startsWith(`v${major}.`)) throw new Error(`it is ${stdout.trim()}`);
    const main = join(
      await context.project(),
      'node_modules',
      'commerce-conformance',
      'dist',
      'cli',
      'main.js',
    );
    await context.evaluates(node, [main], await context.emptyFolder(`on-node-${major}`));
    return stdout.trim();
  },
}));
