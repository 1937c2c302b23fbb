import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { runtime } from './node-runtime.ts';
import type { Sandbox } from './sandbox.ts';
import type { Situation } from './situation.ts';

const command = 'commerce-conformance';

/** Configurations of other people's tests, that say so where anybody reads them. */
const configurations: Readonly<Record<string, string>> = Object.fromEntries(
  ['vitest.config.ts', 'vite.config.ts', 'vitest.workspace.ts', 'postcss.config.mjs'].map((name) => [
    name,
    `import { writeFileSync } from 'node:fs';
writeFileSync(${JSON.stringify(`read-${name}`)}, '');
throw new Error(${JSON.stringify(`${name} was read`)});
`,
  ]),
);

const ownTest = `import { runConformance } from 'commerce-conformance';
import { expect, test } from 'vitest';

test('is conformant', { timeout: 120_000 }, async () => {
  const { report } = await runConformance();
  expect(report.verdict).toBe('conformant');
});
`;

const ownSuites = `import { conformance } from 'commerce-conformance/vitest';

await conformance();
`;

async function runsBesideOwnVitest(
  sandbox: Sandbox,
  folder: string,
  version: string,
  node?: string,
): Promise<void> {
  const project = await sandbox.installed(folder, [`vitest@${version}`], {
    ...configurations,
    'own.test.ts': "import { test } from 'vitest';\n\ntest('own', () => {});\n",
    '.env': 'COMMERCE_KEY=not-to-be-read\n',
  });
  if (node === undefined) await sandbox.evaluates('npx', ['--no', '--', command], project);
  else await sandbox.evaluates(node, [join('node_modules', '.bin', command)], project);
  const marks = (await readdir(project)).filter((name) => name.startsWith('read-'));
  if (marks.length > 0) throw new Error(`configurations were read: ${marks.join(', ')}`);
  const own = JSON.parse(await readFile(join(project, 'node_modules', 'vitest', 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  if (!own.version.startsWith(`${version}.`)) throw new Error(`the project's vitest is now ${own.version}`);
}

/** Folders and projects in which the package is used. */
export const projectSituations: readonly Situation[] = [
  {
    name: 'npx, from the tarball, in an empty folder',
    holds: async (sandbox) => {
      const folder = await sandbox.emptyFolder('empty');
      await sandbox.evaluates(
        'npx',
        ['--yes', `--package=${await sandbox.tarball()}`, '--', command],
        folder,
      );
      const left = await readdir(folder);
      if (left.join() !== 'conformance-report') throw new Error(`left behind: ${left.join(', ')}`);
      return undefined;
    },
  },
  {
    name: 'npm project',
    holds: async (sandbox) => {
      const project = await sandbox.project();
      await sandbox.evaluates('npx', ['--no', '--', command], project);
      for (const args of [['checks'], ['explain', 'AUTH-3'], ['serve', '--fault', 'list'], ['plan']]) {
        await sandbox.run('npx', ['--no', '--', command, ...args], project);
      }
      return undefined;
    },
  },
  {
    name: 'npm, installed globally',
    holds: async (sandbox) => {
      const prefix = await sandbox.emptyFolder('global');
      await sandbox.run(
        'npm',
        ['install', '--global', '--prefix', prefix, '--no-audit', '--no-fund', await sandbox.tarball()],
        prefix,
      );
      const folder = await sandbox.emptyFolder('beside-global');
      await sandbox.evaluates(join(prefix, 'bin', command), [], folder);
      return undefined;
    },
  },
  {
    name: 'project with vitest 3 of its own and configurations that must not be read',
    holds: async (sandbox) => {
      await runsBesideOwnVitest(sandbox, 'own-vitest-3', '3');
      return undefined;
    },
  },
  {
    name: 'project with vitest 5 of its own, on Node 24',
    holds: async (sandbox) => {
      await runsBesideOwnVitest(sandbox, 'own-vitest-5', '5', await runtime(sandbox, 24));
      return undefined;
    },
  },
  {
    name: 'path with spaces and other characters',
    holds: async (sandbox) => {
      const project = await sandbox.installed(join('a path', "with 'quotes', ümläuts & @1 [x]"));
      await sandbox.evaluates('npx', ['--no', '--', command], project);
      return undefined;
    },
  },
  {
    name: 'path with characters that mean something in a URL',
    holds: async (sandbox) => {
      const project = await sandbox.installed('a hash # in 100%41 it?');
      await sandbox.evaluates('npx', ['--no', '--', command], project);
      return undefined;
    },
  },
  {
    name: 'suites in the project’s own vitest 4',
    holds: async (sandbox) => {
      const project = await sandbox.installed('own-suites', ['vitest@4'], {
        'package.json': '{ "private": true, "type": "module" }',
        'conformance.test.js': ownSuites,
      });
      const { stdout } = await sandbox.run('npx', ['--no', '--', 'vitest', 'run', '-t', 'AUTH-2'], project);
      const [, passed = '0'] = /Tests\s+(\d+) passed/.exec(stripVTControlCharacters(stdout)) ?? [];
      if (Number(passed) < 11) throw new Error(`fewer tests of AUTH-2 than operations with keys:\n${stdout}`);
      return `${passed} tests of AUTH-2`;
    },
  },
  {
    name: 'called from a test of the project’s own vitest 3',
    holds: async (sandbox) => {
      const project = await sandbox.installed('in-a-test', ['vitest@3'], {
        'package.json': '{ "private": true, "type": "module" }',
        'own.test.js': ownTest,
      });
      await sandbox.run('npx', ['--no', '--', 'vitest', 'run'], project);
      return undefined;
    },
  },
  {
    name: 'pnpm project',
    holds: async (sandbox) => {
      const project = await pnpmProject(sandbox, 'pnpm-project');
      await sandbox.evaluates(await pnpm(sandbox), ['exec', command], project);
      return undefined;
    },
  },
  {
    name: 'pnpm project in a path with spaces, beside vitest 3',
    holds: async (sandbox) => {
      const project = await pnpmProject(sandbox, 'a pnpm project', ['vitest@3'], configurations);
      await sandbox.evaluates(await pnpm(sandbox), ['exec', command], project);
      const marks = (await readdir(project)).filter((name) => name.startsWith('read-'));
      if (marks.length > 0) throw new Error(`configurations were read: ${marks.join(', ')}`);
      return undefined;
    },
  },
  {
    name: 'npm, installed from a git repository',
    holds: async (sandbox) => {
      const repository = await sandbox.gitRepository();
      const folder = await sandbox.folderWith('from-git', { 'package.json': '{ "private": true }' });
      await sandbox.run('npm', ['install', '--no-audit', '--no-fund', `git+file://${repository}`], folder);
      await sandbox.evaluates('npx', ['--no', '--', command], folder);
      return undefined;
    },
  },
];

/** Path of pnpm, of a major version that runs on every Node we support. */
async function pnpm(sandbox: Sandbox): Promise<string> {
  const folder = await sandbox.emptyFolder('pnpm');
  const path = join(folder, 'node_modules', '.bin', 'pnpm');
  try {
    await access(path);
  } catch {
    await sandbox.run('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, 'pnpm@10'], folder);
  }
  return path;
}

async function pnpmProject(
  sandbox: Sandbox,
  name: string,
  others: readonly string[] = [],
  files: Readonly<Record<string, string>> = {},
): Promise<string> {
  const folder = await sandbox.folderWith(name, { 'package.json': '{ "private": true }', ...files });
  const store = join(sandbox.folder, 'pnpm-store');
  await sandbox.run(
    await pnpm(sandbox),
    ['add', '--store-dir', store, '--ignore-scripts', await sandbox.tarball(), ...others],
    folder,
  );
  return folder;
}
