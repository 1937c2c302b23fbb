import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { describe, expect } from 'vitest';
import { allFaults } from '../fixtures/faults/all-faults.ts';
import type { Finding } from '../harness/model/report.ts';
import { readReport } from './cli-for-tests.ts';
import { callCli, test } from './in-process-for-tests.ts';

/** Faults whose findings come of all kinds of checks: path values, bodies, keys, sessions, and those that only listen. */
const faults = [
  'nul-in-a-product-slug-crashes',
  'key-is-compared-as-prefix',
  'missing-key-has-no-body',
  'cancel-of-unknown-session-succeeds',
];

describe.concurrent('a finding is there as long as its fault is', () => {
  test.for(faults)('%s', async (name, { folder, serve, cli }) => {
    const { operation, check } = allFaults.find((fault) => fault.name === name)?.breaks ?? {};
    if (operation === undefined) throw new Error(`there is no fault ${name}`);
    const faulty = await serve('--fault', name);
    const healthy = await serve();
    const only = operation === '*' ? '' : ` --operation ${operation}`;
    await cli(`run --target ${faulty.file} --report-dir ${folder}${only}`);
    const { results } = await readReport(folder);
    const findings = results.flatMap((result) => (result.check === check ? result.findings : []));
    expect(findings.length).toBeGreaterThan(0);
    for (const { id } of distinct(findings).slice(0, 2)) {
      const again = await cli(`replay ${id} --report ${folder} --target ${faulty.file}`);
      expect(again, again.stdout).toMatchObject({ exitCode: 1, stderr: '' });
      expect(again.stdout).toContain('still there: seen in 3 of 3 tries');
      const elsewhere = await cli(`replay ${id} --report ${folder} --target ${healthy.file}`);
      expect(elsewhere, elsewhere.stdout).toMatchObject({ exitCode: 0, stderr: '' });
      expect(elsewhere.stdout).toContain('fixed: not seen in 3 tries');
    }
  });
});

describe.concurrent('a report alone', () => {
  const fault = ['--fault', 'second-cancel-crashes'];
  const only = '--check session/session-can-be-cancelled';

  test('names the target file, by every name that a finding has', async ({ folder, serve, cli }) => {
    const { file } = await serve(...fault);
    await cli(`run --target ${basename(file)} ${only}`);
    const report = await readReport(`${folder}/conformance-report`);
    const [result] = report.results.filter(({ findings }) => findings.length > 0);
    const id = result?.findings[0]?.id ?? '';
    const cause = report.rootCauses?.[0]?.id ?? '';
    for (const name of [id, `#${id}-2`, cause, `cause-${cause}`, `${result?.operation}/${result?.check}`]) {
      const again = await cli(`replay ${name}`);
      expect(again, `${name}: ${again.stdout}${again.stderr}`).toMatchObject({ exitCode: 1, stderr: '' });
    }
    const elsewhere = await callCli(['replay', id, '--report', `${folder}/conformance-report/report.json`]);
    expect(elsewhere.stdout).toContain('still there: seen in 3 of 3 tries');
  });

  test('does not send keys to another target than the file names', async ({
    folder,
    serve,
    cli,
    refused,
  }) => {
    const { file, target } = await serve(...fault);
    await cli(`run --target ${basename(file)} ${only}`);
    const id = (await readReport(`${folder}/conformance-report`)).rootCauses?.[0]?.id ?? '';
    const content = await readFile(file, 'utf8');
    await writeFile(file, content.replace(target.baseUrl, 'http://127.0.0.1:9'));
    await refused(`replay ${id}`, `names http://127.0.0.1:9, and the report ${target.baseUrl}`);
  });

  test('has a script of all steps', async ({ folder, serve, cli }) => {
    const { file } = await serve(...fault);
    await cli(`run --target ${basename(file)} ${only}`);
    const id = (await readReport(`${folder}/conformance-report`)).rootCauses?.[0]?.id ?? '';
    const { exitCode, stdout } = await cli(`replay ${id} --script`);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^#!\/bin\/sh\n# Finding [0-9a-f]{8}: /);
    // A create, and the two cancels of which only the second shows the fault, are the least.
    expect(stdout.match(/^send /gm)?.length).toBeGreaterThanOrEqual(3);
  });
});

describe.concurrent('what cannot be told', () => {
  test('a target that is not there', async ({ folder, serve, cli }) => {
    const { file } = await serve('--fault', 'create-answers-201');
    await cli(`run --target ${file} --report-dir ${folder} --operation createHostedCheckoutSession`);
    const [finding] = (await readReport(folder)).results.flatMap((result) => result.findings);
    const given = `--report ${folder} --target ${file} --base-url http://127.0.0.1:9`;
    const { exitCode, stdout } = await cli(`replay ${finding?.id} ${given}`);
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(/cannot tell: .*refused/i);
  });

  test('a finding of a key that is not given', async ({ folder, serve, cli }) => {
    const { file, target } = await serve('--fault', 'missing-key-has-no-body');
    await cli(`run --target ${file} --report-dir ${folder} --operation getApiKeyIdentity`);
    const [finding] = (await readReport(folder)).results.flatMap((result) => result.findings);
    const given = `--report ${folder} --base-url ${target.baseUrl}`;
    const { exitCode, stdout } = await cli(`replay ${finding?.id} ${given}`);
    expect(exitCode).toBe(3);
    expect(stdout).toContain(
      `cannot tell: no key with catalog:read is known (keys: { scoped: '${'$'}{COMMERCE_KEY}' })`,
    );
  });

  test('a finding that the report does not hold', async ({ folder, serve, cli, refused }) => {
    const { file } = await serve();
    await cli(`run --target ${file} --report-dir ${folder} --operation getPublicBootstrap`);
    await refused(`replay 00000000 --report ${folder}`, 'the report holds no finding 00000000');
  });

  test('no report', ({ refused }) => refused('replay 00000000 --report none.json', 'none.json'));
});

function distinct(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.map((finding) => [finding.id, finding])).values()];
}
