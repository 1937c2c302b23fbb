import { describe, expect } from 'vitest';
import { patient, runCli, startCli, test } from './cli-for-tests.ts';

const commands = [
  ...['run', 'render', 'diff', 'baseline', 'replay', 'doctor', 'plan', 'init', 'checks', 'explain', 'serve'],
];

describe.concurrent('--help', patient, () => {
  test('lists the commands, examples and exit codes', async () => {
    const { exitCode, stdout } = await runCli(['--help']);
    expect(exitCode).toBe(0);
    for (const command of commands) expect(stdout).toMatch(new RegExp(`^  ${command}\\b`, 'm'));
    expect(stdout).toContain('Examples:');
    expect(stdout).toContain('130 interrupted');
  });

  test.for(commands)('of %s has an example', async (command) => {
    const { exitCode, stdout } = await runCli([command, '--help']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(new RegExp(`Examples?:\\n(?:.*\\n)*.*commerce-conformance ${command}`));
  });

  test('--version is the version of the package', async () => {
    const { stdout } = await runCli(['--version']);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe.concurrent('a reader that stops early', patient, () => {
  test('is no defect', async () => {
    const { child, ended } = startCli(['checks']);
    child.stdout?.destroy();
    const { exitCode, stderr } = await ended;
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });
});

describe.concurrent('checks', patient, () => {
  test('lists each check with requirement and level', async () => {
    const { exitCode, stdout } = await runCli(['checks']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^auth\/invalid-key-is-refused +AUTH-3 +must +on 11 /m);
  });
});

describe.concurrent('explain', patient, () => {
  test.for(['AUTH-3', 'auth-3', 'auth/invalid-key-is-refused'])('%s', async (name) => {
    const { exitCode, stdout } = await runCli(['explain', name]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^AUTH-3 must {2}/);
    expect(stdout).toContain('contract: Authentication, rule 4');
    expect(stdout).toMatch(/Why it matters:\n {2}A key that is compared loosely/);
    expect(stdout).toMatch(/Conforming all the same, and never accused:\n {2}- any format of keys/);
    expect(stdout).toMatch(/To mend a service that fails it:\n {2}Look the whole key up exactly/);
    expect(stdout).toContain('key-is-compared-as-prefix: ');
  });
});

describe.concurrent('explain a case', patient, () => {
  test('names the faults of its operation first', async () => {
    const { stdout } = await runCli(['explain', 'cancelHostedCheckoutSession/auth/invalid-key-is-refused']);
    expect(stdout).toMatch(/\(serve --fault NAME\):\n {4}cancel-accepts-any-key: /);
    expect(stdout).toContain(
      "run --check 'auth/invalid-key-is-refused' --operation cancelHostedCheckoutSession",
    );
    expect(stdout).toMatch(/and \d+ more: docs\/proof\.md/);
  });

  test('refuses one that does not exist', async () => {
    const { exitCode, stderr } = await runCli(['explain', 'getPublicBootstrap/auth/invalid-key-is-refused']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('auth/invalid-key-is-refused says nothing of getPublicBootstrap');
  });
});

describe.concurrent('serve', patient, () => {
  test('lists its faults and variants', async () => {
    const [faults, variants] = await Promise.all([
      runCli(['serve', '--fault', 'list']),
      runCli(['serve', '--variant', 'list']),
    ]);
    expect(faults.stdout).toMatch(/^create-answers-201: /m);
    expect(variants.stdout).toMatch(/^cancel-may-be-repeated: /m);
  });

  test('prints its keys, for who comes without a target file', async () => {
    const started = startCli(['serve']);
    const said = await started.said('Ctrl-C ends it.');
    started.child.kill('SIGTERM');
    await started.ended;
    expect(said).toMatch(/^ {2}export COMMERCE_KEY=\S{16,} COMMERCE_KEY_UNSCOPED=\S{16,}$/m);
  });

  test('says so where its port is in use', async ({ serve }) => {
    const { target } = await serve();
    const { exitCode, stderr } = await runCli(['serve', '--port', new URL(target.baseUrl).port]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining('is in use') });
  });

  test('serves a lawful variant', async ({ folder, serve }) => {
    const { file } = await serve('--variant', 'cancelled-sessions-are-forgotten');
    const run = ['run', '--target', file, '--operation', 'cancelHostedCheckoutSession'];
    const { exitCode, stdout } = await runCli(run, { cwd: folder });
    expect(exitCode, stdout).toBe(0);
  });
});
