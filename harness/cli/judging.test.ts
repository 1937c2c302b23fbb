import { describe, expect } from 'vitest';
import { allFaults } from '../../fixtures/faults/all-faults.ts';
import { shapePresets } from '../../fixtures/service/shape.ts';
import { patient, readReport, runCli, test } from './cli-for-tests.ts';

const faults = [
  'create-skips-authentication',
  'connection-remembers-its-key',
  'missing-key-is-answered-403',
  'key-is-compared-as-prefix',
  'key-is-compared-without-case',
  'empty-key-is-accepted',
  'unscoped-key-is-no-key-for-identity',
  'bootstrap-demands-a-key',
  'session-read-ignores-scope',
  'missing-scope-is-answered-401',
  'api-key-products-demand-scope',
  'login-return-forbids-the-scoped-key',
  'cancel-is-not-published',
  'create-answers-201',
  'search-redirects-to-a-replica',
  'product-body-is-empty',
  'session-is-sent-as-plain-text',
  'missing-key-has-no-body',
  'unknown-merchant-is-latin-1',
  'unknown-session-is-gone',
  'unknown-product-is-another-product',
  'cancel-of-unknown-session-succeeds',
];

describe.concurrent('a lawful service passes, whatever its shape', patient, () => {
  test.for(Object.keys(shapePresets))('%s', async (shape, { folder, serve }) => {
    const { file } = await serve('--shape', shape);
    const { exitCode, stdout } = await runCli(['run', '--target', file, '--report-dir', folder]);
    const { verdict, summary } = await readReport(folder);
    expect({ verdict, summary }, stdout).toMatchObject({
      verdict: 'conformant',
      summary: { fail: 0, warn: 0, inconclusive: 0, error: 0 },
    });
    expect(exitCode).toBe(0);
  });
});

describe.concurrent('a service with a fault fails, at the operation that has it', patient, () => {
  test.for(faults)('%s', async (name, { folder, serve }) => {
    const breaks = allFaults.find((fault) => fault.name === name)?.breaks;
    if (breaks === undefined) throw new Error(`there is no fault ${name}`);
    const { file } = await serve('--fault', name);
    const { exitCode, stdout } = await runCli([
      'run',
      ...['--target', file],
      ...['--report-dir', folder],
      ...['--operation', breaks.operation],
    ]);
    const report = await readReport(folder);
    const failed = report.results.filter(({ outcome }) => outcome === 'fail');
    const named = failed.find(({ check }) => check === breaks.check);
    expect(named, stdout).toMatchObject({ operation: breaks.operation, requirement: breaks.requirement });
    expect(named?.findings.map(({ actual }) => `got ${actual}`).join('\n')).toContain(breaks.actual ?? '');
    expect(report.verdict).toBe('non-conformant');
    expect(stdout).toContain('at 1 operation');
    expect(exitCode).toBe(1);
  });
});
