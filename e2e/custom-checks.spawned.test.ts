import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { parse, stringify } from 'yaml';
import { packageRoot } from '../spec/package-root.ts';
import { readReport, runCli, test } from './cli-for-tests.ts';

const page = await readFile(join(packageRoot, 'docs', 'custom-checks.md'), 'utf8');
const [guide = ''] = page.split('\n## Programmatic use');

/** A project with the checks of the guide, which finds the package as if it had installed it. */
async function projectIn(folder: string): Promise<void> {
  await mkdir(join(folder, 'node_modules'), { recursive: true });
  await symlink(packageRoot, join(folder, 'node_modules', 'commerce-conformance'));
  for (const [, file = '', code = ''] of guide.matchAll(/```js\n\/\/ (\S+)\n([\s\S]*?)```/g)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), code);
  }
}

/** Changes the check that is active. */
async function withIdentityCheck(folder: string, change: (code: string) => string): Promise<void> {
  const file = join(folder, 'checks', 'identity', 'answer-is-steady.check.mjs');
  await writeFile(file, change(await readFile(file, 'utf8')));
}

const ours = ({
  summary,
  results,
  coverage,
  causes,
  verdict,
}: Awaited<ReturnType<typeof readReport>>): object => ({
  summary,
  coverage: coverage.map(({ operation, status, observed }) => ({ operation, status, seen: observed > 0 })),
  causes,
  verdict,
  results: results.map(({ operation, check, outcome }) => ({ operation, check, outcome })),
});

describe('the checks of the guide', () => {
  test('are made beside ours, which stay as they are', async ({ folder, cli }) => {
    await projectIn(folder);
    const [withThem, without] = await Promise.all([
      cli('run --checks checks'),
      cli('run --report-dir without'),
    ]);
    expect(withThem.exitCode).toBe(0);
    expect(withThem.stdout).toContain(
      'Custom checks (checks), not part of the verdict: 15 of 15 cases tested',
    );
    const report = await readReport(join(folder, 'conformance-report'));
    expect(report.additional?.summary).toMatchObject({ pass: 1, warn: 14, fail: 0, error: 0 });
    expect(ours(report)).toEqual(ours(await readReport(join(folder, 'without'))));
    expect(without.exitCode).toBe(0);
  });

  test('count in the exit code by their levels', async ({ folder, cli }) => {
    await projectIn(folder);
    const alone = 'run --checks checks --check own/** --quiet';
    expect((await cli(alone)).exitCode).toBe(0);
    expect((await cli(`${alone} --strict`)).exitCode).toBe(1);
    await withIdentityCheck(folder, (code) =>
      code.replace('probe: async (client) => {', '$& throw new Error("oh");'),
    );
    const thrown = await cli(alone);
    expect(thrown.exitCode).toBe(4);
    expect(thrown.stdout).toContain('failed to run: own/identity/answer-is-steady  getApiKeyIdentity');
    const { additional, verdict } = await readReport(join(folder, 'conformance-report'));
    expect(additional?.summary).toMatchObject({ error: 1, warn: 1 });
    expect(verdict).toBe('incomplete');
  });

  test('never make up for ours', async ({ folder, serve, cli }) => {
    await projectIn(folder);
    const { file } = await serve('--fault', 'create-ignores-scope');
    const { exitCode } = await cli(`run --target ${file} --checks checks --check SCOPE-1 own/**`);
    expect(exitCode).toBe(1);
    expect((await readReport(join(folder, 'conformance-report'))).verdict).toBe('non-conformant');
  });

  test('may stand in the target file, relative to it', async ({ folder, serve }) => {
    await projectIn(folder);
    const { file } = await serve();
    await mkdir(join(folder, 'targets'));
    const target = join(folder, 'targets', 'target.yaml');
    await writeFile(target, stringify({ ...parse(await readFile(file, 'utf8')), checks: '../checks' }));
    const { stdout, exitCode } = await runCli(['plan', '--target', target], { cwd: packageRoot });
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringMatching(/own\/identity\/answer-is-steady +1 cases/),
    ]);
  });

  test('are listed and explained', async ({ folder, cli }) => {
    await projectIn(folder);
    const listed = await cli('checks --checks checks');
    expect(listed.stdout).toMatch(/own\/cache\/listings-say-how-long +OWN-CACHE-1 +should +on 14/);
    const explained = await cli('explain OWN-CACHE-1 --checks checks');
    expect(explained.stdout).toContain('Contract:\n  Platform handbook, Caching');
    expect((await cli('explain OWN-CACHE-1')).exitCode).toBe(2);
  });
});

describe('nothing is sent', () => {
  test('where a check contradicts its examples', async ({ folder, startCountingServer, refused }) => {
    await projectIn(folder);
    await withIdentityCheck(folder, (code) => code.replace('isSame ? []', '!isSame ? []'));
    const server = await startCountingServer();
    await refused(`run --base-url ${server.baseUrl} --checks checks`, [
      'identity/answer-is-steady.check.mjs',
      'must say pass, but says violated',
    ]);
    expect(server.requests).toBe(0);
  });

  test.for(['--certify', '--shard 1/2'])(
    'with %s',
    async (flags, { folder, startCountingServer, refused }) => {
      await projectIn(folder);
      const server = await startCountingServer();
      await refused(`run --base-url ${server.baseUrl} --checks checks ${flags}`, '--checks');
      expect(server.requests).toBe(0);
    },
  );
});
