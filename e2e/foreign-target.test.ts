import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { changedHostWarning } from '../cli/github-actions.ts';
import { callCli, test } from './in-process-for-tests.ts';

describe('a target file of others', () => {
  test('sends nothing to a host that is not allowed', async ({ folder, startCountingServer }) => {
    const server = await startCountingServer();
    await writeFile(join(folder, 'target.yaml'), `baseUrl: ${server.baseUrl}\n`);
    const { exitCode, stderr } = await callCli(
      ['run', '--target', 'target.yaml', '--allow-host', 'staging.example.com'],
      { cwd: folder, env: { COMMERCE_KEY: 'pk_NobodyMaySeeThis123' } },
    );
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining(`${server.baseUrl} is not among the allowed hosts`),
    });
    expect(server.requests).toBe(0);
  });

  test('cannot allow its own host', async ({ folder }) => {
    await writeFile(
      join(folder, 'target.yaml'),
      'baseUrl: https://evil.example\noptions: { allowHost: [evil.example] }\n',
    );
    const { exitCode, stderr } = await callCli(['plan', '--target', 'target.yaml'], { cwd: folder });
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining('allowHost') });
  });

  test('loads no custom checks where the command refuses them', async ({ folder }) => {
    await mkdir(join(folder, 'evil'));
    await writeFile(join(folder, 'evil', 'evil.check.js'), "throw new Error('custom code ran')\n");
    await writeFile(join(folder, 'target.yaml'), 'baseUrl: http://127.0.0.1:9\nchecks: evil\n');
    const args = ['plan', '--target', 'target.yaml'];
    const loaded = await callCli(args, { cwd: folder });
    expect(loaded.stdout + loaded.stderr).toContain('custom code ran');
    const { exitCode, stderr } = await callCli([...args, '--no-custom-checks'], { cwd: folder });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: 'The custom checks of the target file are not loaded: --no-custom-checks.\n',
    });
  });

  test('is warned of where a pull request changes its host', async ({ folder }) => {
    const git = (...args: readonly string[]): string =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
        cwd: folder,
        encoding: 'utf8',
      });
    const file = join(folder, 'target.yaml');
    await writeFile(file, 'baseUrl: https://staging.example.com/shop\n');
    git('init', '-q');
    git('add', '.');
    git('commit', '-q', '-m', 'base');
    const event = join(folder, 'event.json');
    const sha = git('rev-parse', 'HEAD').trim();
    await writeFile(event, JSON.stringify({ pull_request: { base: { sha } } }));
    const env = { GITHUB_EVENT_NAME: 'pull_request', GITHUB_EVENT_PATH: event };
    await writeFile(file, 'baseUrl: https://staging.example.com/other\n');
    expect(await changedHostWarning(file, env)).toBeUndefined();
    await writeFile(file, 'baseUrl: https://evil.example\n');
    expect(await changedHostWarning(file, env)).toMatch(
      /^::warning .*names https:\/\/evil\.example, and https:\/\/staging\.example\.com on the base branch/,
    );
    expect(await changedHostWarning(file, { ...env, GITHUB_EVENT_NAME: 'push' })).toBeUndefined();
  });
});
