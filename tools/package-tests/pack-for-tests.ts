import { execFileSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { packageRoot } from '../../spec/package-root.ts';
import { run } from './sandbox-for-tests.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The temporary folder of all package tests. */
    sandbox: string;
    /** The file that npm pack made. */
    tarball: string;
  }
}

/** Packs a copy of the sources once for all package tests; gives what removes it. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const sandbox = await mkdtemp(join(tmpdir(), 'commerce-conformance-package-'));
  const remove = async (): Promise<void> => {
    // What a test made read-only cannot be removed by any user but root.
    execFileSync('chmod', ['-R', 'u+w', sandbox]);
    await rm(sandbox, { recursive: true, force: true });
  };
  try {
    // Other users work in it too.
    await chmod(sandbox, 0o755);
    provide('sandbox', sandbox);
    provide('tarball', await pack(sandbox));
    return remove;
  } catch (error) {
    await remove();
    throw error;
  }
}

/** From a copy, so that nothing is packed that only lies about here, and no compiled code is taken from under others. */
async function pack(sandbox: string): Promise<string> {
  const sources = join(sandbox, 'sources');
  for (const file of sourceFiles())
    await cp(join(packageRoot, file), join(sources, file), { preserveTimestamps: true });
  await symlink(join(packageRoot, 'node_modules'), join(sources, 'node_modules'));
  const folder = join(sandbox, 'packed');
  await mkdir(folder);
  await run('npm', ['pack', '--pack-destination', folder], sources);
  const [name] = await readdir(folder);
  if (name === undefined) throw new Error('npm pack wrote nothing');
  return join(folder, name);
}

/** What belongs to the project, committed or not yet, and is there. */
function sourceFiles(): readonly string[] {
  const listed = (...flags: readonly string[]): readonly string[] =>
    execFileSync('git', ['ls-files', '-z', ...flags], { cwd: packageRoot, encoding: 'utf8' })
      .split('\0')
      .filter((file) => file !== '');
  const deleted = new Set(listed('--deleted'));
  return listed('--cached', '--others', '--exclude-standard').filter(
    (file) => !deleted.has(file) && file !== 'node_modules',
  );
}
