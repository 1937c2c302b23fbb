import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { parse } from 'yaml';
import { readReport } from './cli-for-tests.ts';
import { test } from './in-process-for-tests.ts';

const acceptance = '--owner checkout-team --reason until-spring --expires 2999-12-31';

describe.concurrent('the release gate', () => {
  test('accepts what a baseline made from a report accepts, and fails for stale entries once it is fixed', async ({
    folder,
    serve,
    cli,
    refused,
  }) => {
    const { file } = await serve('--fault', 'create-answers-201');
    const first = await cli(`run --quiet --target ${file}`);
    expect(first.exitCode).toBe(1);
    const made = await cli(`baseline conformance-report/report.json ${acceptance} --file baseline.yaml`);
    expect(made).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(
        /^Wrote baseline.yaml, which accepts.*\n {2}npx commerce-conformance run --(?:target|base-url) .* --baseline baseline.yaml\n$/,
      ),
    });
    const entries = parse(await readFile(join(folder, 'baseline.yaml'), 'utf8')).accepted;
    expect(entries[0]).toMatchObject({ operation: 'createHostedCheckoutSession', owner: 'checkout-team' });

    const gated = 'run --quiet --baseline baseline.yaml';
    const second = await cli(`${gated} --seed 9 --target ${file}`);
    expect(second.stdout).toContain('✓ gate passed');
    expect(second.stdout).toContain('✗ non-conformant');
    expect(second.exitCode).toBe(0);
    const accepted = await readReport(join(folder, 'conformance-report'));
    expect(accepted.verdict).toBe('non-conformant');
    expect(accepted.baseline).toMatchObject({
      file: 'baseline.yaml',
      passed: true,
      accepted: entries.length,
    });
    expect(accepted.run.options).toMatchObject({ baseline: 'baseline.yaml' });

    await refused(gated, 'without a target');

    const healthy = await serve();
    const fixed = await cli(`${gated} --target ${healthy.file}`);
    expect(fixed.stdout).toContain('✗ gate failed');
    expect(fixed.stdout).toContain('Stale: remove from the baseline');
    expect(fixed.exitCode).toBe(1);

    const elsewhere = await cli(`${gated} --target ${healthy.file} --operation getPublicProduct`);
    expect(elsewhere.stdout).toContain('Not tested in this run');
    expect(elsewhere.exitCode).toBe(0);
  });

  test('takes the baseline from the target file too', async ({ folder, serve, cli }) => {
    const { file } = await serve();
    await writeFile(join(folder, 'baseline.yaml'), 'accepted: []\n');
    await writeFile(
      file,
      `${await readFile(file, 'utf8')}options: { baseline: baseline.yaml, check: AUTH-1 }\n`,
    );
    const { stdout, exitCode } = await cli(`run --target ${file}`);
    expect(stdout).toContain('✓ gate passed  0 findings accepted, none new · baseline baseline.yaml');
    expect(exitCode).toBe(0);
  });

  test('sends nothing with --certify, or with a baseline that cannot be read', async ({
    folder,
    startCountingServer,
    refused,
  }) => {
    const server = await startCountingServer();
    await writeFile(join(folder, 'good.yaml'), 'accepted: []\n');
    await writeFile(join(folder, 'bad.yaml'), 'accepted:\n  - finding: 4f2a\n');
    const run = `run --base-url ${server.baseUrl} --baseline`;
    await refused(`${run} good.yaml --certify`, '--baseline accepts findings');
    await refused(`${run} bad.yaml`, ['bad.yaml:2:14 (accepted[0].finding)', 'accepted[0].owner is missing']);
    await refused(`${run} nowhere.yaml`, 'nowhere.yaml: the baseline does not exist');
    expect(server.requests).toBe(0);
  });
});

describe.concurrent('baseline', () => {
  test('refuses a day that is none, an owner that is nobody, and a file that is there', async ({
    folder,
    cli,
    refused,
  }) => {
    await writeFile(join(folder, 'taken.yaml'), 'mine');
    await cli('run --quiet --check AUTH-1');
    const baseline = 'baseline conformance-report/report.json';
    await refused(`${baseline} --owner a --reason b --expires 2027-02-30`, 'a day such as 2027-01-31');
    await refused(
      ['baseline', 'conformance-report', '--owner', ' ', '--reason', 'b', '--expires', '2027-02-28'],
      '--owner takes a text',
    );
    await refused(`${baseline} --owner a`, 'required option');
    await refused(`${baseline} ${acceptance} --file taken.yaml`, 'taken.yaml exists already');
    expect(await readFile(join(folder, 'taken.yaml'), 'utf8')).toBe('mine');
    const { stdout } = await cli(`${baseline} ${acceptance}`);
    expect(parse(stdout)).toEqual({ accepted: [] });
  });
});

describe.concurrent('diff', () => {
  test('compares two runs, in three formats, and ends with 1 where something got worse', async ({
    serve,
    cli,
  }) => {
    const { file } = await serve('--fault', 'create-answers-201');
    await Promise.all([
      cli('run --quiet --report-dir old'),
      cli(`run --quiet --report-dir new --target ${file}`),
    ]);
    const [old, now] = ['old/report.json', 'new/report.json'];
    const [same, worse, json, markdown] = await Promise.all([
      cli('diff old old'),
      cli(`diff ${old} ${now}`),
      cli(`diff ${old} ${now} --format json`),
      cli(`diff ${now} ${old} --format markdown`),
    ]);
    expect(same).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('✓ no regression') });
    expect(worse).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('New failures') });
    expect(json.exitCode).toBe(1);
    const { newFailures } = JSON.parse(json.stdout) as { newFailures: ReadonlyArray<{ operation: string }> };
    expect(new Set(newFailures.map(({ operation }) => operation))).toEqual(
      new Set(['createHostedCheckoutSession']),
    );
    expect(markdown).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('### Fixed') });
  });

  test('refuses what is not a report', async ({ folder, refused }) => {
    await writeFile(join(folder, 'a.json'), '{"schemaVersion": "1.0", "verdict":');
    await refused('diff nowhere.json a.json', 'nowhere.json: the report does not exist');
    await refused('diff a.json a.json', 'a.json: Not a whole report');
  });
});
