import { describe, expect } from 'vitest';
import { allFaults } from '../../fixtures/faults/all-faults.ts';
import type { Finding } from '../../harness/model/report.ts';
import { callCli, readReport, test } from '../in-process-for-tests.ts';

/** Faults whose findings come of all kinds of checks: path values, bodies, keys, sessions, and those that only listen. */
const faults = [
  'nul-in-a-product-slug-crashes',
  'key-is-compared-as-prefix',
  'missing-key-has-no-body',
  'cancel-of-unknown-session-succeeds',
];

describe.concurrent('a finding is there as long as its fault is', () => {
  test.for(faults)('%s', async (name, { folder, serve }) => {
    const { operation } = allFaults.find((fault) => fault.name === name)?.breaks ?? {};
    if (operation === undefined) throw new Error(`there is no fault ${name}`);
    const faulty = await serve('--fault', name);
    const healthy = await serve();
    const only = operation === '*' ? [] : ['--operation', operation];
    await callCli(['run', '--target', faulty.file, '--report-dir', folder, ...only]);
    const findings = (await readReport(folder)).results.flatMap((result) => result.findings);
    expect(findings.length).toBeGreaterThan(0);
    for (const { id } of distinct(findings).slice(0, 2)) {
      const again = await callCli(['replay', id, '--report', folder, '--target', faulty.file]);
      expect(again, again.stdout).toMatchObject({ exitCode: 1, stderr: '' });
      expect(again.stdout).toContain('still there: seen in 3 of 3 tries');
      const elsewhere = await callCli(['replay', id, '--report', folder, '--target', healthy.file]);
      expect(elsewhere, elsewhere.stdout).toMatchObject({ exitCode: 0, stderr: '' });
      expect(elsewhere.stdout).toContain('fixed: not seen in 3 tries');
    }
  });
});

describe.concurrent('what cannot be told', () => {
  test('a target that is not there', async ({ folder, serve }) => {
    const { file } = await serve('--fault', 'create-answers-201');
    const only = ['--operation', 'createHostedCheckoutSession'];
    await callCli(['run', '--target', file, '--report-dir', folder, ...only]);
    const [finding] = (await readReport(folder)).results.flatMap((result) => result.findings);
    const { exitCode, stdout } = await callCli([
      ...['replay', finding?.id ?? '', '--report', folder],
      ...['--target', file, '--base-url', 'http://127.0.0.1:9'],
    ]);
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(/cannot tell: .*refused/i);
  });

  test('a finding that the report does not hold', async ({ folder, serve }) => {
    const { file } = await serve();
    await callCli(['run', '--target', file, '--report-dir', folder, '--operation', 'getPublicBootstrap']);
    const { exitCode, stderr } = await callCli(['replay', '00000000', '--report', folder]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('the report holds no finding 00000000');
  });

  test('no report', async ({ folder }) => {
    const { exitCode, stderr } = await callCli(['replay', '00000000', '--report', `${folder}/none.json`]);
    expect(exitCode).toBe(2);
    expect(stderr).not.toContain('    at ');
  });
});

function distinct(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.map((finding) => [finding.id, finding])).values()];
}
