import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { changedHostWarning } from '../cli/github-actions.ts';
import { test } from './in-process-for-tests.ts';

describe('a target file of others', () => {
  test('sends nothing to a host that is not allowed', async ({ folder, startCountingServer, refused }) => {
    const server = await startCountingServer();
    await writeFile(join(folder, 'target.yaml'), `baseUrl: ${server.baseUrl}\n`);
    await refused(
      'run --target target.yaml --allow-host staging.example.com',
      `${server.baseUrl} is not among the allowed hosts`,
      { COMMERCE_KEY: 'pk_NobodyMaySeeThis123' },
    );
    expect(server.requests).toBe(0);
  });

  test('cannot allow its own host', async ({ folder, refused }) => {
    await writeFile(
      join(folder, 'target.yaml'),
      'baseUrl: https://evil.example\noptions: { allowHost: [evil.example] }\n',
    );
    await refused('plan --target target.yaml', 'allowHost');
  });

  test('loads no custom checks where the command refuses them', async ({ folder, cli }) => {
    await mkdir(join(folder, 'evil'));
    await writeFile(join(folder, 'evil', 'evil.check.js'), "throw new Error('custom code ran')\n");
    await writeFile(join(folder, 'target.yaml'), 'baseUrl: http://127.0.0.1:9\nchecks: evil\n');
    const loaded = await cli('plan --target target.yaml');
    expect(loaded.stdout + loaded.stderr).toContain('custom code ran');
    const { exitCode, stderr } = await cli('plan --target target.yaml --no-custom-checks');
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
