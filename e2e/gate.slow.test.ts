import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { parse } from 'yaml';
import { readReport } from './cli-for-tests.ts';
import { callCli, test } from './in-process-for-tests.ts';

const acceptance = [
  '--owner',
  'checkout-team',
  '--reason',
  'until the new gateway',
  '--expires',
  '2999-12-31',
];

describe.concurrent('the release gate', () => {
  test('accepts what a baseline made from a report accepts, and fails for stale entries once it is fixed', async ({
    folder,
    serve,
  }) => {
    const { file } = await serve('--fault', 'create-answers-201');
    const at = { cwd: folder };
    const first = await callCli(['run', '--quiet', '--target', file], at);
    expect(first.exitCode).toBe(1);
    const report = join('conformance-report', 'report.json');
    const made = await callCli(['baseline', report, ...acceptance, '--file', 'baseline.yaml'], at);
    expect(made).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(
        /^Wrote baseline.yaml, which accepts.*\n {2}npx commerce-conformance run --(?:target|base-url) .* --baseline baseline.yaml\n$/,
      ),
    });
    const entries = parse(await readFile(join(folder, 'baseline.yaml'), 'utf8')).accepted;
    expect(entries[0]).toMatchObject({ operation: 'createHostedCheckoutSession', owner: 'checkout-team' });

    const gated = ['run', '--quiet', '--baseline', 'baseline.yaml'];
    const second = await callCli([...gated, '--seed', '9', '--target', file], at);
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

    const embedded = await callCli(gated, at);
    expect(embedded).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('no target is named') });

    const healthy = await serve();
    const fixed = await callCli([...gated, '--target', healthy.file], at);
    expect(fixed.stdout).toContain('✗ gate failed');
    expect(fixed.stdout).toContain('Stale: remove from the baseline');
    expect(fixed.exitCode).toBe(1);

    const elsewhere = await callCli(
      [...gated, '--target', healthy.file, '--operation', 'getPublicProduct'],
      at,
    );
    expect(elsewhere.stdout).toContain('Not tested in this run');
    expect(elsewhere.exitCode).toBe(0);
  });

  test('takes the baseline from the target file too', async ({ folder, serve }) => {
    const { file } = await serve();
    await writeFile(join(folder, 'baseline.yaml'), 'accepted: []\n');
    await writeFile(
      file,
      `${await readFile(file, 'utf8')}options: { baseline: baseline.yaml, check: AUTH-1 }\n`,
    );
    const { stdout, exitCode } = await callCli(['run', '--target', file], { cwd: folder });
    expect(stdout).toContain('✓ gate passed  0 findings accepted, none new · baseline baseline.yaml');
    expect(exitCode).toBe(0);
  });

  test('sends nothing with --certify, or with a baseline that cannot be read', async ({
    folder,
    startCountingServer,
  }) => {
    const server = await startCountingServer();
    await writeFile(join(folder, 'good.yaml'), 'accepted: []\n');
    await writeFile(join(folder, 'bad.yaml'), 'accepted:\n  - finding: 4f2a\n');
    const run = ['run', '--base-url', server.baseUrl, '--baseline'];
    const [certify, bad, missing] = await Promise.all([
      callCli([...run, 'good.yaml', '--certify'], { cwd: folder }),
      callCli([...run, 'bad.yaml'], { cwd: folder }),
      callCli([...run, 'nowhere.yaml'], { cwd: folder }),
    ]);
    expect([certify.exitCode, bad.exitCode, missing.exitCode]).toEqual([2, 2, 2]);
    expect(certify.stderr).toContain('--baseline accepts findings');
    expect(bad.stderr).toContain('bad.yaml:2:14 (accepted[0].finding)');
    expect(bad.stderr).toContain('accepted[0].owner is missing');
    expect(missing.stderr).toContain('nowhere.yaml: the baseline does not exist');
    expect(server.requests).toBe(0);
  });
});

describe.concurrent('baseline', () => {
  test('refuses a day that is none, an owner that is nobody, and a file that is there', async ({
    folder,
  }) => {
    await writeFile(join(folder, 'taken.yaml'), 'mine');
    await callCli(['run', '--quiet', '--check', 'AUTH-1'], { cwd: folder });
    const report = join('conformance-report', 'report.json');
    const command = (...flags: readonly string[]) => callCli(['baseline', report, ...flags], { cwd: folder });
    const [day, owner, lacking, taken, none] = await Promise.all([
      command('--owner', 'a', '--reason', 'b', '--expires', '2027-02-30'),
      command('--owner', ' ', '--reason', 'b', '--expires', '2027-02-28'),
      command('--owner', 'a'),
      command(...acceptance, '--file', 'taken.yaml'),
      command(...acceptance),
    ]);
    expect(day).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('a day such as 2027-01-31') });
    expect(owner).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--owner takes a text') });
    expect(lacking).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('required option') });
    expect(taken).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('taken.yaml exists already'),
    });
    expect(await readFile(join(folder, 'taken.yaml'), 'utf8')).toBe('mine');
    expect(parse(none.stdout)).toEqual({ accepted: [] });
  });
});

describe.concurrent('diff', () => {
  test('compares two runs, in three formats, and ends with 1 where something got worse', async ({
    folder,
    serve,
  }) => {
    const at = { cwd: folder };
    const { file } = await serve('--fault', 'create-answers-201');
    await Promise.all([
      callCli(['run', '--quiet', '--report-dir', 'old'], at),
      callCli(['run', '--quiet', '--report-dir', 'new', '--target', file], at),
    ]);
    const [old, now] = [join('old', 'report.json'), join('new', 'report.json')];
    const [same, worse, json, markdown] = await Promise.all([
      callCli(['diff', 'old', 'old'], at),
      callCli(['diff', old, now], at),
      callCli(['diff', old, now, '--format', 'json'], at),
      callCli(['diff', now, old, '--format', 'markdown'], at),
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

  test('refuses what is not a report', async ({ folder }) => {
    await writeFile(join(folder, 'a.json'), '{"schemaVersion": "1.0", "verdict":');
    const [missing, damaged] = await Promise.all([
      callCli(['diff', 'nowhere.json', 'a.json'], { cwd: folder }),
      callCli(['diff', 'a.json', 'a.json'], { cwd: folder }),
    ]);
    expect(missing).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('nowhere.json: the report does not exist'),
    });
    expect(damaged).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('a.json: Not a whole report'),
    });
  });
});
