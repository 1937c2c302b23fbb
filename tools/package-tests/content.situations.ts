import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../spec/package-root.ts';
import { objectionsToContent } from './package-content.ts';
import type { Situation } from './situation.ts';

interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly hasInstallScript?: boolean; readonly optional?: boolean }>
  >;
}

/** What the package holds, and what it asks of whoever installs it. */
export const contentSituations: readonly Situation[] = [
  {
    name: 'holds bundled code with types, spec and docs, in under 100 files, and nothing else',
    holds: async (sandbox) => {
      const root = join(await sandbox.project(), 'node_modules', 'commerce-conformance');
      const objections = await objectionsToContent(root, [packageRoot, sandbox.folder]);
      if (objections.length > 0) throw new Error(objections.join('\n'));
      return undefined;
    },
  },
  {
    name: 'publint has no objection',
    holds: async (sandbox) => {
      await sandbox.run(tool('publint'), ['run', await sandbox.tarball(), '--strict'], sandbox.folder);
      return undefined;
    },
  },
  {
    name: 'attw has no objection',
    holds: async (sandbox) => {
      await sandbox.run(tool('attw'), [await sandbox.tarball(), '--profile', 'esm-only'], sandbox.folder);
      return undefined;
    },
  },
  {
    name: 'installs without install scripts, its own or any dependency’s',
    holds: async (sandbox) => {
      const lock = JSON.parse(
        await readFile(join(await sandbox.project(), 'package-lock.json'), 'utf8'),
      ) as Lock;
      const wanting = Object.entries(lock.packages).filter(
        // Optional ones may be for another platform; without theirs they do without.
        ([, { hasInstallScript, optional }]) => hasInstallScript === true && optional !== true,
      );
      if (wanting.length > 0) throw new Error(`install scripts: ${wanting.map(([path]) => path).join(', ')}`);
      const folder = await sandbox.installed('without-scripts', ['--ignore-scripts']);
      await sandbox.evaluates('npx', ['--no', '--', 'commerce-conformance'], folder);
      return undefined;
    },
  },
];

function tool(name: string): string {
  return join(packageRoot, 'node_modules', '.bin', name);
}
