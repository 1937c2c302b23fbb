import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { readReport, startCli, test } from './cli-for-tests.ts';

describe.concurrent('an interrupted run', () => {
  test.for(['SIGINT', 'SIGTERM'] as const)(
    'by %s writes its report, which says so',
    async (signal, { folder, startCountingServer }) => {
      const server = await startCountingServer({ answers: false });
      // Longer than this test may take: an interrupted run does not wait for outstanding responses.
      const { child, ended } = startCli(['run', '--base-url', server.baseUrl, '--timeout', '600000'], {
        cwd: folder,
        env: { TMPDIR: folder },
      });
      await server.asked;
      child.kill(signal);
      const { exitCode, stdout, stderr } = await ended;
      const code = signal === 'SIGINT' ? 130 : 143;
      expect({ exitCode, stderr }).toEqual({
        exitCode: code,
        stderr: expect.not.stringContaining('    at '),
      });
      expect(stdout).toContain('? incomplete, interrupted');
      const report = await readReport(join(folder, 'conformance-report'));
      expect(report).toMatchObject({ verdict: 'incomplete', complete: false, run: { interrupted: true } });
      expect(report.reasons).toContain('the run was interrupted');
      expect(report.results.some(({ outcome }) => outcome === 'error')).toBe(false);
      expect(await readdir(folder)).toEqual(['conformance-report']);
      expect(await readdir(join(folder, 'conformance-report'))).toContain('evidence.har');
    },
  );

  test.skipIf(process.platform !== 'linux')(
    'shows no key in the list of processes',
    async ({ folder, startCountingServer }) => {
      const server = await startCountingServer({ answers: false });
      const key = 'pk_NobodyMaySeeThis123';
      const { child, ended } = startCli(['run', '--base-url', server.baseUrl, '--key', key], { cwd: folder });
      await server.asked;
      expect(await readFile(`/proc/${child.pid}/cmdline`, 'latin1')).not.toContain(key);
      child.kill('SIGKILL');
      await ended;
    },
  );

  test('by a second Ctrl-C ends at once', async ({ folder, startCountingServer }) => {
    const server = await startCountingServer({ answers: false });
    const { child, ended } = startCli(['run', '--base-url', server.baseUrl], { cwd: folder });
    await server.asked;
    child.kill('SIGINT');
    child.kill('SIGINT');
    await ended;
    expect(child.exitCode === 130 || child.signalCode === 'SIGINT').toBe(true);
  });

  test('keeps the results so far', async ({ folder, serve }) => {
    const { file } = await serve();
    const run = ['run', '--target', file, '--operation', 'getPublicProduct', '--rate', '5'];
    const { child, ended } = startCli(run, { cwd: folder });
    await new Promise<void>((resolve) => {
      child.stderr?.on('data', (chunk) => {
        if (/^(?:[4-9]|\d\d+)\/.* testing/m.test(String(chunk))) resolve();
      });
      void ended.then(() => resolve());
    });
    child.kill('SIGINT');
    expect((await ended).exitCode).toBe(130);
    const { results, summary } = await readReport(join(folder, 'conformance-report'));
    expect(summary.pass).toBeGreaterThan(0);
    expect(summary.inconclusive).toBeGreaterThan(0);
    expect(new Set(results.map(({ message }) => message))).toContain(
      'the run was interrupted before this was evaluated',
    );
  });
});
