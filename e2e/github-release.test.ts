import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import { packageRoot } from '../spec/package-root.ts';
import { test as cliTest } from './cli-for-tests.ts';
import { type Action, readYaml, type Workflow } from './workflow-file-for-tests.ts';
import { type Outcome, runShell, writeProgram } from './workflow-runner-for-tests.ts';

const run = promisify(execFile);
const { jobs } = await readYaml<Workflow>('.github/workflows/release.yml');
const action = await readYaml<Action>('action.yml');

interface Given {
  /** A folder with version, changelog and changesets like those of this repository. */
  readonly workspace: string;
  /** Runs the step of a job that has a text in its script. */
  readonly step: (job: string, holding: string, env?: Readonly<Record<string, string>>) => Promise<Outcome>;
}

const test = cliTest.extend<Given>({
  workspace: async ({ folder }, use) => {
    const workspace = join(folder, 'workspace');
    await mkdir(join(workspace, '.changeset'), { recursive: true });
    await cp(join(packageRoot, '.changeset', 'README.md'), join(workspace, '.changeset', 'README.md'));
    await cp(join(packageRoot, '.changeset', 'config.json'), join(workspace, '.changeset', 'config.json'));
    await writeFile(
      join(workspace, 'package.json'),
      '{ "name": "commerce-conformance", "version": "0.4.2" }\n',
    );
    await writeFile(
      join(workspace, 'CHANGELOG.md'),
      '# Changelog\n\n## 0.4.2\n\nA word.\n\n## 0.4.1\n\nAnother.\n',
    );
    await use(workspace);
  },
  step: async ({ folder, workspace }, use) => {
    const runner = { workspace, folder: join(folder, 'runner'), action, actionPath: packageRoot };
    for (const name of ['docker', 'gh', 'git', 'npm']) {
      await writeProgram(
        join(folder, 'bin', name),
        `#!/bin/sh\nprintf '%s\\n' '${name}' "$@" '' >> "$RUNNER_TEMP/called"\n`,
      );
    }
    const PATH = `${join(folder, 'bin')}:${process.env['PATH']}`;
    await use(async (job, holding, env = {}) => {
      const script = jobs[job]?.steps?.find((one) => one.run?.includes(holding))?.run;
      if (script === undefined) throw new Error(`${job} has no step with ${holding}`);
      const done = await runShell(script, '.', { ...runner, env: { PATH, ...env } });
      const called = await readFile(join(runner.folder, 'temp', 'called'), 'utf8').catch(() => '');
      return { ...done, log: `${done.log}${called.replaceAll(/(?<!\n)\n(?!\n)/g, ' ')}` };
    });
  },
});

describe.concurrent('the release', () => {
  test('goes on where tag, version and changelog agree', async ({ workspace, step }) => {
    const { exitCode, outputs, log } = await step('pack', 'CHANGELOG.md', { TAG: 'v0.4.2' });
    expect(exitCode, log).toBe(0);
    expect(outputs).toEqual({ 'dist-tag': 'latest', major: 'v0' });
    expect((await readFile(join(workspace, 'notes.md'), 'utf8')).trim()).toBe('A word.');
  });

  test('gives what is not final another tag, and no major version', async ({ workspace, step }) => {
    await writeFile(join(workspace, 'package.json'), '{ "version": "1.0.0-next.1" }');
    await writeFile(join(workspace, 'CHANGELOG.md'), '# Changelog\n\n## 1.0.0-next.1\n\nA word.\n');
    const { outputs } = await step('pack', 'CHANGELOG.md', { TAG: 'v1.0.0-next.1' });
    expect(outputs).toEqual({ 'dist-tag': 'next' });
  });

  test.for([
    { why: 'another tag', tag: 'v0.4.3', files: {}, says: 'not the version' },
    { why: 'a tag that is a command', tag: '$(touch ran)', files: {}, says: 'not the version' },
    {
      why: 'a changeset that is left',
      tag: 'v0.4.2',
      files: { '.changeset/red-hats.md': '' },
      says: 'changesets left',
    },
    {
      why: 'a changelog without a word',
      tag: 'v0.4.2',
      files: { 'CHANGELOG.md': '## 0.4.2\n\n## 0.4.1\n\nOld.\n' },
      says: 'says nothing',
    },
  ])('stops at $why', async ({ tag, files, says }, { workspace, step }) => {
    for (const [name, text] of Object.entries(files)) await writeFile(join(workspace, name), text);
    const { exitCode, log } = await step('pack', 'CHANGELOG.md', { TAG: tag });
    expect(exitCode).toBe(1);
    expect(log).toContain(says);
  });

  test('packs with the repository that the provenance speaks of', async ({ step }) => {
    const env = { GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'somebody/something' };
    const { exitCode, log } = await step('pack', 'npm pack', env);
    expect(exitCode, log).toBe(0);
    expect(log).toContain(
      'npm pkg set repository.type=git repository.url=git+https://github.com/somebody/something.git',
    );
  });

  test('publishes the packed file with provenance', async ({ workspace, step }) => {
    await mkdir(join(workspace, 'package'));
    await writeFile(join(workspace, 'package', 'commerce-conformance-0.4.2.tgz'), '');
    const { log } = await step('publish', 'npm publish', { DIST_TAG: 'latest' });
    expect(log.trim()).toBe(
      'npm publish ./package/commerce-conformance-0.4.2.tgz --provenance --access public --tag latest',
    );
  });

  test('pushes an image that has run once', async ({ step }) => {
    const env = { VERSION: 'v0.4.2', DIST_TAG: 'latest', GITHUB_REPOSITORY: 'Some/Thing', GITHUB_ACTOR: 'a' };
    const { log } = await step('image', 'docker build', env);
    const calls = log
      .trim()
      .split(/\n+/)
      .map((line) => line.trim());
    expect(calls).toEqual([
      'docker build --tag ghcr.io/some/thing:0.4.2 --tag ghcr.io/some/thing:latest .',
      'docker run --rm ghcr.io/some/thing:0.4.2 run --format json --report-dir /tmp/report --quiet',
      'docker login ghcr.io --username a --password-stdin',
      'docker push --all-tags ghcr.io/some/thing',
    ]);
  });

  test('runs nothing of the project where it may sign', () => {
    const { publish, pack } = jobs;
    expect(publish?.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
    expect(publish?.needs).toBe('pack');
    const used = publish?.steps?.map(
      ({ uses, run: script }) => uses?.split('@')[0] ?? script?.split(' ', 2).join(' '),
    );
    expect(used).toEqual(['actions/setup-node', 'actions/download-artifact', 'npm publish']);
    expect(pack?.steps?.some(({ run: script }) => script === '.ci/run')).toBe(true);
  });

  test.for([
    { distTag: 'latest', latest: 'true' },
    { distTag: 'next', latest: 'false' },
  ])('is announced; $distTag as latest: $latest', async ({ distTag, latest }, { step }) => {
    const { log } = await step('announce', 'gh release', { TAG: 'v0.4.2', DIST_TAG: distTag });
    expect(log.trim()).toBe(
      `gh release create v0.4.2 --verify-tag --title v0.4.2 --notes-file notes/notes.md --latest=${latest}`,
    );
  });

  test('moves the tag of the major version', async ({ step }) => {
    const { log } = await step('announce', 'git tag', { MAJOR: 'v0' });
    expect(
      log
        .trim()
        .split(/\n+/)
        .map((line) => line.trim()),
    ).toEqual(['git tag --force v0', 'git push --force origin refs/tags/v0']);
  });

  test('has a changelog that changesets write', async ({ workspace, step }) => {
    await writeFile(
      join(workspace, '.changeset', 'red-hats.md'),
      "---\n'commerce-conformance': minor\n---\n\nAUTH-3 now tries more; a service that trims keys fails.\n",
    );
    // Without it, they would read the history around the folder.
    await run('git', ['init', '--quiet'], { cwd: workspace });
    const cli = join(packageRoot, 'node_modules', '@changesets', 'cli', 'bin.js');
    await run(process.execPath, [cli, 'version'], { cwd: workspace });
    const changelog = await readFile(join(workspace, 'CHANGELOG.md'), 'utf8');
    expect(changelog).toMatch(
      /^# Changelog\n\n## 0\.5\.0\n[\s\S]+AUTH-3 now tries more[\s\S]+\n## 0\.4\.2\n/,
    );
    const { outputs, log } = await step('pack', 'CHANGELOG.md', { TAG: 'v0.5.0' });
    expect(outputs, log).toEqual({ 'dist-tag': 'latest', major: 'v0' });
  });
});

cliTest('the changelog starts with its versions, since changesets write below its first line', async () => {
  const text = await readFile(join(packageRoot, 'CHANGELOG.md'), 'utf8');
  expect(text).toMatch(/^# Changelog\n\n## \d/);
});
