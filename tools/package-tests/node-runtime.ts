import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Workbench } from './sandbox.ts';

/** Path of a Node of another major version, which the npm package `node` brings; fetched once. */
export async function runtime(bench: Workbench, major: number): Promise<string> {
  const folder = await bench.emptyFolder(`node-${major}`);
  const path = join(folder, 'node_modules', 'node', 'bin', 'node');
  try {
    await access(path);
  } catch {
    await bench.run(
      'npm',
      ['install', '--no-audit', '--no-fund', '--prefix', folder, `node@${major}`],
      folder,
    );
  }
  return path;
}
