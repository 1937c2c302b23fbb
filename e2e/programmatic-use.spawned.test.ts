import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../spec/package-root.ts';
import { test } from './cli-for-tests.ts';

const page = await readFile(join(packageRoot, 'docs', 'custom-checks.md'), 'utf8');
const [, guide = ''] = page.split('\n## Programmatic use');
const [fromFile = '', fromObject = ''] = [...guide.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code);

/** Runs a module as another program would: the package is resolved by its own name. */
async function runModule(code: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', code],
    { cwd: packageRoot, env: { PATH: process.env['PATH'], ...env } },
  );
  expect(stderr).toBe('');
  return stdout;
}

describe('docs/custom-checks.md', () => {
  test('tests by a target file', async ({ serve }) => {
    const { file } = await serve();
    expect(await runModule(fromFile.replace("'target.yaml'", JSON.stringify(file)))).toMatch(
      /^conformant \{[^}]*\}\n$/,
    );
  });

  test('tests by an object, with keys from the environment', async ({ serve }) => {
    const { file } = await serve('--fault', 'create-ignores-scope');
    const { baseUrl, keys, ...rest } = parse(await readFile(file, 'utf8'));
    const said = await runModule(
      fromObject
        .replace("'https://staging.example.com/gateway'", JSON.stringify(baseUrl))
        .replace("{ merchantSlug: 'atelier-nord' }", JSON.stringify(rest.parameters))
        .replace('    parameters', `    ...${JSON.stringify(rest)},\n    parameters`),
      { COMMERCE_KEY: keys.scoped, COMMERCE_KEY_UNSCOPED: keys.unscoped },
    );
    expect(said).toMatch(/^SCOPE-1 createHostedCheckoutSession: /);
  });
});

describe('runConformance', () => {
  test('prints nothing, and leaves exit code and listeners alone', async () => {
    const said = await runModule(`
      import { runConformance } from 'commerce-conformance';
      const before = process.listenerCount('SIGINT');
      const heard = [];
      const [{ report }] = await Promise.all([
        runConformance({ onProgress: (progress) => heard.push(progress) }),
        runConformance({ options: { operation: 'getApiKeyIdentity' } }),
      ]);
      const { casesDone, casesTotal } = heard.at(-1);
      console.log(report.verdict, casesDone === casesTotal, process.exitCode, process.listenerCount('SIGINT') - before);`);
    expect(said).toBe('conformant true undefined 0\n');
  });

  test('can be interrupted, and then still reports', async () => {
    const said = await runModule(`
      import { runConformance } from 'commerce-conformance';
      const interruption = new AbortController();
      const { report, exitCode } = await runConformance({
        signal: interruption.signal,
        onProgress: ({ casesDone }) => casesDone > 20 && interruption.abort(),
      });
      const late = await runConformance({ signal: interruption.signal }).catch(({ name }) => name);
      console.log(exitCode, report.run.interrupted, report.summary.inconclusive > 0, late);`);
    expect(said).toBe('130 true true AbortError\n');
  });

  test('throws a UsageError for a mistake, before anything is sent', async ({ folder }) => {
    const baseline = join(folder, 'baseline.yaml');
    await writeFile(baseline, 'no: baseline\n');
    const mistakes = [
      { options: { sed: 7 } },
      { options: { seed: 'seven' } },
      { options: { check: 'nothing/*' } },
      { options: { certify: true } },
      { options: { baseline } },
      { target: 'nowhere.yaml' },
      { target: { baseUrl: 'nothing' } },
    ];
    const said = await runModule(`
      import { runConformance, UsageError } from 'commerce-conformance';
      for (const mistake of ${JSON.stringify(mistakes)}) {
        const error = await runConformance(mistake).catch((error) => error);
        console.log(error instanceof UsageError && error.problem.what.length > 0);
      }`);
    expect(said).toBe('true\n'.repeat(mistakes.length));
  });
});
