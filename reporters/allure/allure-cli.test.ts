import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { hostile, incomplete, oneCause } from '../testing/sample-reports-for-tests.ts';
import { renderAllure } from './render-allure.ts';

// Fetches the command line from the registry at its first use, so that it runs on demand alone.
const wanted = process.env['CONFORMANCE_ALLURE_CLI'] === '1';

test.runIf(wanted).each([
  ['oneCause', oneCause, { total: 292, passed: 250, failed: 42 }],
  ['incomplete', incomplete, { total: 252, passed: 240, skipped: 12 }],
  ['hostile', hostile, { total: 6, passed: 2, failed: 1, broken: 1, skipped: 2 }],
] as const)(
  'the allure command line renders %s and counts the same',
  { timeout: 180_000 },
  async (_, report, stats) => {
    const folder = await mkdtemp(join(tmpdir(), 'conformance-allure-'));
    try {
      for (const { path, text } of renderAllure(report)) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), text);
      }
      await promisify(execFile)('npx', ['-y', 'allure@3', 'generate', 'allure-results', '-o', 'rendered'], {
        cwd: folder,
      });
      const summary = JSON.parse(await readFile(join(folder, 'rendered', 'summary.json'), 'utf8')) as {
        stats: unknown;
      };
      expect(summary.stats).toEqual(stats);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);
