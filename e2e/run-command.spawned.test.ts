import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, vi } from 'vitest';
import { readReport, startCli, test } from './cli-for-tests.ts';

describe.concurrent('run without a target', () => {
  test('tests the embedded reference service, which conforms', async ({ folder, cli }) => {
    const { exitCode, stdout, stderr } = await cli('run', { TMPDIR: folder });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining('Testing http') });
    const report = await readReport(join(folder, 'conformance-report'));
    expect(report.verdict).toBe('conformant');
    expect(report.complete).toBe(true);
    expect(report.operations).toHaveLength(25);
    expect(report.results.filter(({ outcome }) => outcome === 'inconclusive')).toEqual([]);
    expect(report.target.embedded).toBe(true);
    expect(stdout).toContain('✓ conformant');
    expect(stdout).toContain('25 of 25 conform');
    expect(stdout).toContain(join('conformance-report', 'report.json'));
    // Nothing stays behind but the report and its evidence.
    expect(await readdir(folder)).toEqual(['conformance-report']);
    expect((await readdir(join(folder, 'conformance-report'))).sort()).toEqual([
      'evidence.har',
      'report.html',
      'report.json',
    ]);
  });

  test('with --quiet prints the verdict and no table, and nothing of its progress', async ({ cli }) => {
    const { stdout, stderr } = await cli('run --quiet');
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^✓ conformant/);
    expect(stdout).not.toContain('Storefront public reads');
  });

  test('with a small budget decides what few requests decide, and says of the rest what would decide it', async ({
    folder,
    cli,
  }) => {
    await cli('run --quiet --max-requests 400');
    const { results, traffic, verdict } = await readReport(join(folder, 'conformance-report'));
    expect(verdict).toBe('incomplete');
    expect(traffic.requests).toBeLessThanOrEqual(400);
    const notTested = results.filter(({ outcome }) => outcome === 'inconclusive');
    expect(notTested.length).toBeGreaterThan(0);
    expect(notTested.filter(({ check }) => check === 'surface/valid-call-is-answered')).toEqual([]);
    expect(notTested.length).toBeLessThan(results.filter(({ outcome }) => outcome === 'pass').length / 2);
  });

  test('colours only on demand, and never where NO_COLOR is set or --no-color is passed', async ({ cli }) => {
    const run = ['run', '--base-url', 'http://127.0.0.1:9', '--report-dir'];
    const colour = '\u001b[';
    const outputs = await Promise.all([
      cli([...run, 'b'], { FORCE_COLOR: '1' }),
      cli([...run, 'c'], { FORCE_COLOR: '1', NO_COLOR: '1' }),
      cli([...run, 'd', '--no-color'], { FORCE_COLOR: '1' }),
    ]);
    expect(outputs.map(({ stdout, stderr }) => (stdout + stderr).includes(colour))).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('goes on to its report and exit code where nobody reads its output', async ({ folder }) => {
    const { child, ended } = startCli(['run'], { cwd: folder });
    child.stdout?.destroy();
    child.stderr?.destroy();
    expect((await ended).exitCode).toBe(0);
    expect((await readReport(join(folder, 'conformance-report'))).verdict).toBe('conformant');
  });
});

describe.concurrent('run with a target', () => {
  test('finds slugs by itself where a base URL and two keys are all it is given', async ({
    folder,
    serve,
    cli,
  }) => {
    const { target } = await serve();
    const { exitCode, stdout } = await cli(`run --base-url ${target.baseUrl}`, {
      COMMERCE_KEY: target.keys.scoped,
      COMMERCE_KEY_UNSCOPED: target.keys.unscoped,
    });
    expect(exitCode).toBe(0);
    const report = await readReport(join(folder, 'conformance-report'));
    expect(report.verdict).toBe('incomplete');
    expect(report.target.discovered.map(({ name }) => name)).toContain(
      'getPublicMerchantProduct.productSlug',
    );
    const open = report.results.filter(({ outcome }) => outcome === 'inconclusive');
    expect(open.map(({ remedy }) => remedy).join('\n')).toContain('bodies: { createHostedCheckoutSession:');
    expect(stdout).toContain('discovered');
    expect(stdout).toContain('Add this to the target file to test');
  });

  test('with --certify gives no verdict where a must was not judged', async ({ serve, cli }) => {
    const { target } = await serve();
    const { exitCode } = await cli(`run --certify --base-url ${target.baseUrl}`);
    expect(exitCode).toBe(3);
  });

  test('that tested nothing does not end with 0', async ({ serve, cli }) => {
    const { target } = await serve();
    const { exitCode, stdout } = await cli(
      `run --operation createHostedCheckoutSession --check SCOPE-* --base-url ${target.baseUrl}`,
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: expect.stringContaining('? incomplete') });
  });

  test('reads options from the target file, and takes a flag over them', async ({ folder, serve, cli }) => {
    const { file } = await serve();
    const text = await readFile(file, 'utf8');
    await writeFile(file, `${text}options: { seed: 7, quiet: true, reportDir: from-file, check: AUTH-1 }\n`);
    const { stdout, stderr } = await cli(`run --target ${file} --seed 8`);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^\? incomplete/);
    const report = await readReport(join(folder, 'from-file'));
    expect(report.run.seed).toBe(8);
    expect(report.run.options).toMatchObject({ seed: 8, check: 'AUTH-1' });
  });

  test('with --read-only posts nothing', async ({ startCountingServer, cli }) => {
    const server = await startCountingServer();
    await cli(`run --read-only --base-url ${server.baseUrl} --key a-key-of-some-length`);
    expect(server.methods).toEqual(new Set(['GET', 'HEAD', 'OPTIONS']));
  });
});

describe.concurrent('the report folder', () => {
  test('must be writable before anything is sent', async ({ folder, startCountingServer, refused }) => {
    const server = await startCountingServer();
    await writeFile(join(folder, 'taken'), '');
    await refused(
      `run --base-url ${server.baseUrl} --report-dir taken/report`,
      /--report-dir: no report can be written to \S*taken/,
    );
    expect(server.requests).toBe(0);
  });

  test('loses an earlier report before anything is sent, so that it is not taken for the new one', async ({
    folder,
    startCountingServer,
  }) => {
    const dir = join(folder, 'conformance-report');
    await mkdir(dir);
    await writeFile(join(dir, 'report.json'), '{ "harness": { "name": "commerce-conformance" } }');
    const server = await startCountingServer({ answers: false });
    const { child, ended } = startCli(['run', '--base-url', server.baseUrl], { cwd: folder });
    await server.asked;
    child.kill('SIGKILL');
    await ended;
    await expect(stat(join(dir, 'report.json'))).rejects.toThrow('ENOENT');
  });

  test('that fails at the end is said, and is never exit code 0', async ({ folder, serve }) => {
    const { file } = await serve();
    const dir = join(folder, 'conformance-report');
    const { ended } = startCli(
      ['run', '--target', file, '--operation', 'getApiKeyIdentity', '--rate', '20'],
      { cwd: folder },
    );
    const begun = async (): Promise<boolean> =>
      (await readdir(dir).catch(() => [])).some((name) => name.startsWith('.evidence.har.'));
    await vi.waitUntil(begun, { timeout: 60_000 });
    await mkdir(join(dir, 'report.json'));
    const { exitCode, stderr } = await ended;
    expect(exitCode).toBe(3);
    expect(stderr).toContain('error: the report could not be written: EISDIR');
  });

  test('takes one run at a time', async ({ folder, startCountingServer, cli }) => {
    const server = await startCountingServer({ answers: false });
    const run = ['run', '--base-url', server.baseUrl];
    const { child, ended } = startCli(run, { cwd: folder });
    await server.asked;
    const second = await cli(run);
    expect(second).toMatchObject({ exitCode: 2, stdout: '' });
    expect(second.stderr).toContain('another run is writing to');
    expect(second.stderr).toContain(`process ${child.pid}`);
    child.kill('SIGKILL');
    await ended;
    const third = startCli([...run, '--max-requests', '1', '--timeout', '1'], { cwd: folder });
    const { stderr } = await third.ended;
    expect(stderr).not.toContain('another run');
    expect(await readdir(join(folder, 'conformance-report'))).toContain('report.json');
  });
});
