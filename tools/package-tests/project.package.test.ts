import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, inject, test } from 'vitest';
import {
  command,
  evaluates,
  evaluatesProject,
  fetched,
  folderWith,
  installed,
  nodeOf,
  npmInstall,
  plainProject,
  run,
  runCommand,
} from './sandbox-for-tests.ts';

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

test('is conformant', async () => {
  const { report } = await runConformance();
  expect(report.verdict).toBe('conformant');
});
`;

const ownSuites = `import { conformance } from 'commerce-conformance/vitest';

await conformance();
`;

const ofModules = '{ "private": true, "type": "module" }';

async function projectBesideVitest(folder: string, version: number): Promise<string> {
  return installed(folder, [`vitest@${version}`], {
    ...configurations,
    'own.test.ts': "import { test } from 'vitest';\n\ntest('own', () => {});\n",
    '.env': 'COMMERCE_KEY=not-to-be-read\n',
  });
}

async function leavesVitestAlone(project: string, version: number): Promise<void> {
  await readsNoConfiguration(project);
  const manifest = await readFile(join(project, 'node_modules', 'vitest', 'package.json'), 'utf8');
  expect(JSON.parse(manifest).version).toMatch(new RegExp(`^${version}\\.`));
}

async function readsNoConfiguration(project: string): Promise<void> {
  expect((await readdir(project)).filter((name) => name.startsWith('read-'))).toEqual([]);
}

test('npx, from the tarball, in an empty folder', async () => {
  const folder = await folderWith('empty');
  await evaluates('npx', ['--yes', `--package=${inject('tarball')}`, '--', command], folder);
  expect(await readdir(folder)).toEqual(['conformance-report']);
});

test('npm project', async () => {
  const project = await plainProject();
  await evaluatesProject(project);
  for (const args of [['checks'], ['explain', 'AUTH-3'], ['serve', '--fault', 'list'], ['plan']])
    await runCommand(project, args);
});

test('npm, installed globally', async () => {
  const prefix = await folderWith('global');
  await npmInstall(prefix, '--global', '--prefix', prefix, inject('tarball'));
  await evaluates(join(prefix, 'bin', command), [], await folderWith('beside-global'));
});

test('project with vitest 3 of its own and configurations that must not be read', async () => {
  const project = await projectBesideVitest('own-vitest-3', 3);
  await evaluatesProject(project);
  await leavesVitestAlone(project, 3);
});

test('project with vitest 5 of its own, on Node 24', async () => {
  const project = await projectBesideVitest('own-vitest-5', 5);
  await evaluates(await nodeOf(24), [join('node_modules', '.bin', command)], project);
  await leavesVitestAlone(project, 5);
});

test.for([
  ['spaces and other characters', join('a path', "with 'quotes', ümläuts & @1 [x]")],
  ['characters that mean something in a URL', 'a hash # in 100%41 it?'],
] as const)('path with %s', async ([, folder]) => {
  await evaluatesProject(await installed(folder));
});

test('suites in the project’s own vitest 4', async () => {
  const files = { 'package.json': ofModules, 'conformance.test.js': ownSuites };
  const project = await installed('own-suites', ['vitest@4'], files);
  const stdout = await run('npx', ['--no', '--', 'vitest', 'run', '-t', 'AUTH-2'], project);
  const [, passed] = /Tests\s+(\d+) passed/.exec(stripVTControlCharacters(stdout)) ?? [];
  expect(Number(passed), 'tests of AUTH-2, at least one for each operation with keys').toBeGreaterThan(10);
});

test('called from a test of the project’s own vitest 3', async () => {
  const files = { 'package.json': ofModules, 'own.test.js': ownTest };
  const project = await installed('in-a-test', ['vitest@3'], files);
  await run('npx', ['--no', '--', 'vitest', 'run'], project);
});

test('pnpm project', async () => {
  const project = await pnpmProject('pnpm-project');
  await evaluates(await pnpm(), ['exec', command], project);
});

test('pnpm project in a path with spaces, beside vitest 3', async () => {
  const project = await pnpmProject('a pnpm project', ['vitest@3'], configurations);
  await evaluates(await pnpm(), ['exec', command], project);
  await readsNoConfiguration(project);
});

test('npm, installed from a git repository', async () => {
  const repository = await gitRepository();
  const folder = await folderWith('from-git', { 'package.json': '{ "private": true }' });
  await npmInstall(folder, `git+file://${repository}`);
  await evaluatesProject(folder);
});

/** A git repository that holds the sources. */
async function gitRepository(): Promise<string> {
  const folder = await folderWith('repository');
  await cp(join(inject('sandbox'), 'sources'), folder, {
    recursive: true,
    filter: (path) => !/\/sources\/(?:node_modules|dist)$/.test(path),
  });
  const author = ['-c', 'user.name=packaging', '-c', 'user.email=packaging@localhost'];
  for (const args of [
    ['init', '--quiet'],
    ['add', '--all'],
    [...author, 'commit', '-qm', 'sources'],
  ])
    await run('git', args, folder);
  return folder;
}

/** Path of pnpm, of a major version that runs on every Node we support. */
function pnpm(): Promise<string> {
  return fetched('pnpm@10', '.bin/pnpm');
}

async function pnpmProject(
  name: string,
  others: readonly string[] = [],
  files: Readonly<Record<string, string>> = {},
): Promise<string> {
  const folder = await folderWith(name, { 'package.json': '{ "private": true }', ...files });
  const store = join(inject('sandbox'), 'pnpm-store');
  const added = [inject('tarball'), ...others];
  await run(await pnpm(), ['add', '--store-dir', store, '--ignore-scripts', ...added], folder);
  return folder;
}
