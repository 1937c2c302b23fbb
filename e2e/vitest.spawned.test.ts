import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { packageRoot } from '../spec/package-root.ts';
import { test } from './cli-for-tests.ts';

interface VitestResults {
  readonly testResults: ReadonlyArray<{
    readonly assertionResults: ReadonlyArray<{ readonly title: string; readonly status: string }>;
  }>;
}

function runVitest(args: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV$|TEST$)/.test(name));
  const vitest = join(packageRoot, 'node_modules', 'vitest', 'vitest.mjs');
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [vitest, 'run', '--project', 'conformance', ...args],
      { cwd: packageRoot, env: { ...Object.fromEntries(inherited), ...env }, maxBuffer: 2 ** 26 },
      () => resolve(child.exitCode ?? -1),
    );
  });
}

describe('the suites under plain vitest', () => {
  test('test the target that CONFORMANCE_TARGET names', async ({ folder, serve }) => {
    const { file } = await serve('--fault', 'create-ignores-scope');
    const results = join(folder, 'results.json');
    const exitCode = await runVitest(['--reporter=json', `--outputFile=${results}`], {
      CONFORMANCE_TARGET: file,
    });
    expect(exitCode).toBe(1);
    const { testResults } = JSON.parse(await readFile(results, 'utf8')) as VitestResults;
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
    const failed = tests.filter(({ status }) => status === 'failed').map(({ title }) => title);
    expect(failed).not.toEqual([]);
    for (const title of failed) expect(title).toMatch(/^SCOPE-1 createHostedCheckoutSession: /);
    // The passive checks come last, when exchanges exist.
    const passed = tests.filter(({ status }) => status === 'passed').map(({ title }) => title.split(':')[0]);
    expect(passed).toContain('AUTH-3 getApiKeyIdentity');
    expect(passed).toContain('STATUS-1 createHostedCheckoutSession');
  });
});
