import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { allFaults } from '../fixtures/faults/all-faults.ts';
import { startFault } from '../fixtures/faults/start-fault.ts';
import { packageRoot } from '../spec/package-root.ts';
import { runCli } from './cli-for-tests.ts';

// Fetches Allure's command line from the registry at its first use, so that it runs on demand alone.
const wanted = process.env['CONFORMANCE_ALLURE_CLI'] === '1';

const run = promisify(execFile);

test.runIf(wanted)(
  'Allure counts the same for a run under vitest and for one of the command line',
  { timeout: 300_000 },
  async () => {
    const fault = allFaults.find(({ name }) => name === 'products-demand-a-key') ?? expect.fail();
    const service = await startFault(fault);
    const folder = await mkdtemp(join(tmpdir(), 'conformance-allure-'));
    try {
      const target = join(folder, 'target.json');
      const { keys, ...rest } = service.target;
      // Without the second key, some cases cannot be tested.
      await writeFile(target, JSON.stringify({ ...rest, keys: { scoped: keys?.scoped } }));
      const vitest = join(packageRoot, 'node_modules', 'vitest', 'vitest.mjs');
      const results = join(folder, 'by-vitest');
      await run(process.execPath, [vitest, 'run', '--project', 'conformance'], {
        cwd: packageRoot,
        env: { ...process.env, CONFORMANCE_TARGET: target, ALLURE_RESULTS_DIR: results },
        maxBuffer: 2 ** 26,
      }).catch(() => undefined);
      await runCli(['run', '--target', target, '--format', 'allure', '--report-dir', folder]);
      const byVitest = await statsOf(results);
      expect(byVitest).toMatchObject({ failed: expect.any(Number), skipped: expect.any(Number) });
      expect(await statsOf(join(folder, 'allure-results'))).toEqual(byVitest);
    } finally {
      await service.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
);

/** What Allure's command line counts. */
async function statsOf(results: string): Promise<unknown> {
  const rendered = `${results}-rendered`;
  await run('npx', ['-y', 'allure@3', 'generate', results, '-o', rendered], { maxBuffer: 2 ** 26 });
  return (JSON.parse(await readFile(join(rendered, 'summary.json'), 'utf8')) as { stats: unknown }).stats;
}
