import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { packageRoot } from '../../spec/package-root.ts';
import { objectionsToContent } from './package-content-for-tests.ts';
import { command, evaluatesProject, installed, plainProject, run } from './sandbox-for-tests.ts';

interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly hasInstallScript?: boolean; readonly optional?: boolean }>
  >;
}

test('the package holds bundled code with types, spec and docs, in under 100 files, and nothing else', async () => {
  const root = join(await plainProject(), 'node_modules', command);
  expect(await objectionsToContent(root, [packageRoot, inject('sandbox')])).toEqual([]);
});

test('publint has no objection', () =>
  run(tool('publint'), ['run', inject('tarball'), '--strict'], packageRoot));

test('attw has no objection', () =>
  run(tool('attw'), [inject('tarball'), '--profile', 'esm-only'], packageRoot));

test('installs without install scripts, its own or any dependency’s', async () => {
  const lock: Lock = JSON.parse(await readFile(join(await plainProject(), 'package-lock.json'), 'utf8'));
  const wanting = Object.entries(lock.packages).filter(
    // Optional ones may be for another platform; without theirs they do without.
    ([, { hasInstallScript, optional }]) => hasInstallScript === true && optional !== true,
  );
  expect(wanting).toEqual([]);
  await evaluatesProject(await installed('without-scripts', ['--ignore-scripts']));
});

function tool(name: string): string {
  return join(packageRoot, 'node_modules', '.bin', name);
}
