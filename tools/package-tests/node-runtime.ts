import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sandbox } from './sandbox.ts';

/** Path of a Node of another major version, which the npm package `node` brings; fetched once. */
export async function runtime(sandbox: Sandbox, major: number): Promise<string> {
  const folder = await sandbox.emptyFolder(`node-${major}`);
  const path = join(folder, 'node_modules', 'node', 'bin', 'node');
  try {
    await access(path);
  } catch {
    await sandbox.run(
      'npm',
      ['install', '--no-audit', '--no-fund', '--prefix', folder, `node@${major}`],
      folder,
    );
  }
  return path;
}
