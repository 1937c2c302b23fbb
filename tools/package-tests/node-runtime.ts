import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunContext } from './sandbox.ts';

/** Path of a Node of another major version, which the npm package `node` brings; fetched once. */
export async function runtime(context: RunContext, major: number): Promise<string> {
  const folder = await context.emptyFolder(`node-${major}`);
  const path = join(folder, 'node_modules', 'node', 'bin', 'node');
  try {
    await access(path);
  } catch {
    await context.run(
      'npm',
      ['install', '--no-audit', '--no-fund', '--prefix', folder, `node@${major}`],
      folder,
    );
  }
  return path;
}
