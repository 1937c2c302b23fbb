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
    expect(stdout).toContain('A lawful service may:');
    expect(stdout).toContain('key-is-compared-as-prefix: ');
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
